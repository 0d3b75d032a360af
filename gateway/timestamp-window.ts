/** How old, and how far ahead, the `timestampMs` may be of a stamped body that changes something. */
import { ApiError } from './http/errors.ts'

const AHEAD_MAX_MS = 5 * 60_000

/**
 * Asked of what is new: the same body again is answered with what it has made, however old it is.
 * @param timestampMs Decimal digits. @throws {ApiError} `TIMESTAMP_INVALID`.
 */
export type CheckTimestamp = (timestampMs: string) => void

/** @param ageMaxMs 0: any time. */
export function timestampWindow(ageMaxMs: number, nowMs: () => number): CheckTimestamp {
  return (timestampMs) => {
    if (ageMaxMs === 0) return
    const ageMs = nowMs() - Number(timestampMs)
    if (ageMs >= ageMaxMs || ageMs < -AHEAD_MAX_MS) throw new ApiError('TIMESTAMP_INVALID')
  }
}

/**
 * The rate limiter port: so many points for each key in a window of time, and nothing beyond. It fails closed: a limiter
 * that cannot be asked allows nothing, or whoever brings it down would have no limit.
 */

/** A limit declared as data, beside what it limits. */
export interface LimitSpec {
  /** kebab-case; each name has counters of its own. */
  readonly name: string
  /** Points of one key in one window, which begins with its first. */
  readonly pointsMax: number
  readonly windowS: number
}

export interface Consumed {
  /** Whether all points asked for were left. If not, the key has none any more in this window. */
  readonly allowed: boolean
  /** When the window ends, if not allowed; 0 if allowed. */
  readonly retryAfterMs: number
}

export interface RateLimiter {
  /**
   * Takes points of a key.
   * @param key Whatever is limited, of any length and content: an address, an organization.
   * @param points 1 to `pointsMax`.
   * @throws {RateLimiterUnavailableError}
   */
  consume(key: string, points?: number): Promise<Consumed>
}

export interface RateLimiters {
  /** Each name is opened once in a process. */
  open(spec: LimitSpec): RateLimiter
  /** Later calls of `consume` throw RateLimiterUnavailableError. */
  close(): Promise<void>
}

/** The limiter cannot be asked, so the answer is no: HTTP 503. */
export class RateLimiterUnavailableError extends Error {
  override name = 'RateLimiterUnavailableError'
}

/** @throws {RangeError} for points that no window has, which is a bug of the caller. */
export function checkPoints({ pointsMax }: LimitSpec, points: number): void {
  if (!Number.isSafeInteger(points) || points < 1 || points > pointsMax) throw new RangeError('points of a limit')
}

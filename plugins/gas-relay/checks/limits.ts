/** Time, size and targets of a batch. Pure. */
import { size, type Address } from 'viem'
import type { DelegateAdapter } from '../delegates/delegate.ts'
import { RelayError } from '../reasons.ts'
import type { Submission } from '../wire/submission.ts'

export interface Limits {
  readonly callsMax: number
  /** Of all calls together. */
  readonly callDataBytesMax: number
  /** How far ahead a deadline may and must be, seconds. */
  readonly deadlineMinS: number
  readonly deadlineMaxS: number
}

/** Between the last moment to be mined and the deadline: a node's clock may be ahead of ours. */
const DEADLINE_MARGIN_S = 15n

/**
 * @param guard What relayer keys may call: a batch must not go through it again.
 * @returns until when it may be sent, in milliseconds. @throws {RelayError}
 */
export function checkLimits(
  { batch, from, validUntil }: Submission,
  adapter: DelegateAdapter,
  limits: Limits,
  guard: Address,
  nowMs: number,
): number {
  const { calls, nonce, deadline } = batch
  const bytes = calls.reduce((sum, { data }) => sum + size(data), 0)
  if (calls.length > Math.min(limits.callsMax, adapter.callsMax) || bytes > limits.callDataBytesMax) {
    throw new RelayError('relay_batch_too_large')
  }
  if (calls.some(({ to }) => to === from || to === guard)) throw new RelayError('relay_call_not_allowed')
  const nowS = BigInt(Math.floor(nowMs / 1_000))
  if (deadline > nowS + BigInt(limits.deadlineMaxS) || deadline > adapter.deadlineMax) {
    throw new RelayError('relay_batch_deadline_too_far')
  }
  if (nonce > adapter.nonceMax) throw new RelayError('relay_batch_nonce_mismatch')
  const latest = deadline - DEADLINE_MARGIN_S
  const until = validUntil === undefined || validUntil > latest ? latest : validUntil
  if (deadline < nowS + BigInt(limits.deadlineMinS) || until <= nowS) throw new RelayError('relay_batch_expired')
  return Number(until) * 1_000
}

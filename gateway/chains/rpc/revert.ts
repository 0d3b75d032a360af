/** Whether a node's no says that a call reverts, which is an answer, or something of the node's own. */
import { isHex, type Hex } from 'viem'
import { RpcRefusalError } from './endpoint.ts'

export interface Revert {
  /** What the call reverted with; `0x` when the node does not say. */
  readonly data: Hex
}

/**
 * Code 3 with data is geth's convention; others say "execution reverted" under a code of their own.
 *
 * @param error As an endpoint or a client over endpoints throws it: viem puts errors of its own around the node's.
 * @returns undefined for whatever else went wrong.
 */
export function revertOf(error: unknown): Revert | undefined {
  let at = error
  while (at instanceof Error && !(at instanceof RpcRefusalError)) at = at.cause
  if (!(at instanceof RpcRefusalError)) return undefined
  const { code, message, data } = at
  return code === 3 || /\brevert/i.test(message) ? { data: isHex(data) ? data : '0x' } : undefined
}

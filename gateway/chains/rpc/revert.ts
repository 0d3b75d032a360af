/** Whether a node's no says that a call was run and failed, which is an answer, or something of the node's own. */
import { isHex, type Hex } from 'viem'
import { RpcRefusalError } from './endpoint.ts'

export interface Revert {
  /** What the call reverted with; `0x` when the node does not say, and for faults, which have none. */
  readonly data: Hex
}

/**
 * A revert, or a fault of the code that was called: whoever deploys a contract chooses which, and neither gets better by
 * asking again. Words of go-ethereum core/vm/errors.go and of anvil 1.7.
 */
const FAILED =
  /\brevert|out of ?gas|gas required exceeds allowance|invalid ?(?:fe)?opcode|opcode ?not ?found|stack ?(?:under|over)flow|stack limit|invalid ?jump|bad (?:instruction|jump)|write protection|static state change|state ?change ?during ?static|evm error|vm execution error|return data out of bounds|gas uint64 overflow/i

/**
 * Code 3 with data is geth's convention for reverts; others say "execution reverted" under a code of their own.
 *
 * @param error As an endpoint or a client over endpoints throws it: viem puts errors of its own around the node's.
 * @returns undefined for whatever else went wrong.
 */
export function revertOf(error: unknown): Revert | undefined {
  let at = error
  while (at instanceof Error && !(at instanceof RpcRefusalError)) at = at.cause
  if (!(at instanceof RpcRefusalError)) return undefined
  const { code, message, data } = at
  return code === 3 || FAILED.test(message) ? { data: isHex(data) ? data : '0x' } : undefined
}

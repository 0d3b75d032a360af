/** What to offer for a transaction (EIP-1559). All amounts in wei per gas. */
import type { AttemptDocument, SendDocument } from './documents.ts'

export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Of the next block, and what was paid on top in the last ones. */
export interface FeeMarket {
  baseFee: bigint
  tip: bigint
}

/** Below it nodes with default settings do not pass transactions on: 0.001 gwei, the floor of OP-stack sequencers. */
const TIP_MIN = 1_000_000n
/** geth's txpool.pricebump: a replacement pays 10 % more, in both fields. */
const BUMP_PERCENT = 110n
/** Of a first offer, for bumps that may follow. */
const CEILING_FACTOR = 3n
/** Cancels must come through; this far above the sender's ceiling they may go, and no further. */
const CANCEL_FACTOR = 2n

/** A transfer to an account without code and without data costs nothing else (yellow paper, G_transaction). */
export const CANCEL_GAS = 21_000n

/** Room for the base fee to double: it takes six full blocks. */
export function firstOffer({ baseFee, tip }: FeeMarket): Fees {
  const maxPriorityFeePerGas = tip > TIP_MIN ? tip : TIP_MIN
  return { maxFeePerGas: 2n * baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

export function ceilingOf(offer: Fees, senderCeiling: bigint): bigint {
  return min(CEILING_FACTOR * offer.maxFeePerGas, senderCeiling)
}

/** The offer within the ceiling, be it too little for now. */
export function within(offer: Fees, ceiling: bigint): Fees {
  const maxFeePerGas = min(offer.maxFeePerGas, ceiling)
  return { maxFeePerGas, maxPriorityFeePerGas: min(offer.maxPriorityFeePerGas, maxFeePerGas) }
}

/** @returns undefined when nothing that nodes would take as a replacement fits below the ceiling. */
export function bumped(attempts: readonly AttemptDocument[], offer: Fees, ceiling: bigint): Fees | undefined {
  const best = bestOf(attempts)
  const least = { maxFeePerGas: raised(best.maxFeePerGas), maxPriorityFeePerGas: raised(best.maxPriorityFeePerGas) }
  if (least.maxFeePerGas > ceiling || least.maxPriorityFeePerGas > ceiling) return undefined
  const wanted = within(offer, ceiling)
  const maxFeePerGas = max(least.maxFeePerGas, wanted.maxFeePerGas)
  const maxPriorityFeePerGas = max(least.maxPriorityFeePerGas, wanted.maxPriorityFeePerGas)
  return { maxFeePerGas, maxPriorityFeePerGas: min(maxPriorityFeePerGas, maxFeePerGas) }
}

export function cancelCeiling(senderCeiling: bigint): bigint {
  return CANCEL_FACTOR * senderCeiling
}

/** After that a cancel may cost more than the send itself could have: all that come after it have waited long enough. */
const OWN_MEANS_FOR_MS = 300_000

/**
 * Of one send: at first its cancel costs no more than the send itself could have, which is what was set aside for it. The
 * engine's own sends, which only use a nonce up, have nothing set aside.
 * @param overForMs How long ago its time was over.
 */
export function cancelCeilingOf(
  { data, gasLimit, feeCeiling }: Pick<SendDocument['request'], 'data' | 'gasLimit' | 'feeCeiling'>,
  senderCeiling: bigint,
  overForMs: number,
): bigint {
  const most = cancelCeiling(senderCeiling)
  if (data === '0x' || overForMs > OWN_MEANS_FOR_MS) return most
  return min(most, (BigInt(gasLimit) * BigInt(feeCeiling)) / CANCEL_GAS)
}

/** The highest of each field: nodes compare with what they have, and that may be any attempt. */
export function bestOf(attempts: readonly AttemptDocument[]): Fees {
  const best = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  for (const attempt of attempts) {
    best.maxFeePerGas = max(best.maxFeePerGas, BigInt(attempt.maxFeePerGas))
    best.maxPriorityFeePerGas = max(best.maxPriorityFeePerGas, BigInt(attempt.maxPriorityFeePerGas))
  }
  return best
}

/** Rounded up. */
function raised(amount: bigint): bigint {
  return (amount * BUMP_PERCENT + 99n) / 100n
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** Whether a batch pays for its gas in a token: first by what was signed, then by what a simulation moves. */
import type { Address } from 'viem'
import type { ChainReads, SponsoredCall } from '../checks/chain-reads.ts'
import { RelayError } from '../reasons.ts'
import type { Submission } from '../wire/submission.ts'
import type { AllowedToken } from './allowed-tokens.ts'
import { quoteAt, type QuoteTerms } from './quote.ts'
import { paidIn, promisedBy } from './transfers.ts'

export interface GasTokenSettings extends QuoteTerms {
  readonly tokens: readonly AllowedToken[]
  /** Who is paid; without one no token is taken. */
  readonly collector: Address | undefined
}

/** What is kept of it with the transaction: the settings may change until it is mined. */
export interface GasPayment {
  readonly token: Address
  readonly collector: Address
  readonly decimals: number
}

/** @throws {RelayError} `relay_gas_token_not_allowed` */
export function allowedToken(
  { tokens, collector }: GasTokenSettings,
  wanted: Address,
): AllowedToken & { collector: Address } {
  const found = tokens.find(({ token }) => token === wanted)
  if (found === undefined || collector === undefined) throw new RelayError('relay_gas_token_not_allowed')
  return { ...found, collector }
}

/**
 * @param sponsored Exactly the transaction that will be sent. @param l1Fee Wei.
 * @throws {RelayError} `relay_gas_token_underpaid` with what is needed, and what `quoteAt` throws.
 */
export async function checkGasPayment(
  reads: ChainReads,
  settings: GasTokenSettings,
  { from, batch, gasPayment }: Submission,
  sponsored: SponsoredCall & { gasLimit: bigint },
  { l1Fee, nowMs }: { l1Fee: bigint; nowMs: number },
): Promise<GasPayment | undefined> {
  if (gasPayment === undefined) return undefined
  const allowed = allowedToken(settings, gasPayment.gas_token)
  const { token, collector } = allowed
  const quote = await quoteAt(reads, allowed, settings, nowMs, gasPayment.quoteId)
  const needed = quote.amountOf(sponsored.gasLimit, l1Fee)
  const underpaid = new RelayError('relay_gas_token_underpaid', { neededAmount: String(needed) })
  if (promisedBy(batch.calls, allowed) < needed) throw underpaid
  // A token that takes a fee, or only says yes, moves less than what was signed.
  if (paidIn(await reads.simulatedLogs(sponsored), { token, from, collector }) < needed) throw underpaid
  return { token, collector, decimals: quote.decimals }
}

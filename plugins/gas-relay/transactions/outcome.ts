/** What the sending engine's record means for a relay transaction. */
import type { Inclusion, SendRecord } from '../../../gateway/plugin-api.ts'
import type { Hex } from 'viem'
import type { DelegateAdapter, Read } from '../delegates/delegate.ts'
import { designatorOf } from '../delegates/designator.ts'
import { paidIn } from '../gas-token/transfers.ts'
import type { Closing, FailureCode, Gas, TransactionDocument } from './transaction.ts'

export interface AccountAt {
  readonly code: () => Promise<Hex>
  readonly read: Read
}

/** Whether a node has, or may have, its bytes. */
export function isSent({ state }: SendRecord): boolean {
  return state !== 'accepted' && state !== 'claimed' && state !== 'signed' && state !== 'failed'
}

/**
 * Its end, undefined while there is none. What is mined but not yet final is none: it may come back otherwise.
 * @param at The account at the block of the receipt: its code, and what its views say.
 */
export async function closingOf(
  document: TransactionDocument,
  record: SendRecord,
  adapter: DelegateAdapter,
  at: (inclusion: Inclusion) => AccountAt,
): Promise<Closing | undefined> {
  const { state, inclusion, cancelCost } = record
  if (state === 'failed') return unsent(document, record)
  if (state === 'replaced') {
    // With a cost it was our own cancel, after the time was up.
    if (cancelCost === undefined) return { phase: 'failed', cost: '0', failure: 'relay_superseded' }
    const cost = String(cancelCost)
    return document.cancelled === true
      ? { phase: 'failed', cost, failure: 'relay_cancelled' }
      : { phase: 'expired', cost }
  }
  if (state !== 'final' || inclusion === undefined) return undefined
  const mined = { cost: String(inclusion.cost), gas: gasOf(inclusion), ...gasTokenOf(document, inclusion) }
  if (inclusion.status === 'reverted') return { phase: 'failed', ...mined, failure: 'relay_reverted' }
  const batch = { nonce: BigInt(document.batchNonce), digest: document.batchDigest }
  const { code, read } = at(inclusion)
  // A node may skip an authorization and run the rest, which then succeeds and does nothing.
  const isDelegated = (await code()) === designatorOf(document.delegate)
  const hasRun = isDelegated && (await adapter.hasRun(batch, document.from, inclusion.logs, read))
  return hasRun ? { phase: 'confirmed', ...mined } : { phase: 'failed', ...mined, failure: 'relay_effect_missing' }
}

function unsent({ cancelled }: TransactionDocument, { failure }: SendRecord): Closing {
  if (failure === 'send_expired' && cancelled !== true) return { phase: 'expired', cost: '0' }
  const withdrawn: FailureCode = cancelled === true ? 'relay_cancelled' : 'relay_state_changed'
  return { phase: 'failed', cost: '0', failure: failure === 'send_refused' ? 'relay_signer_refused' : withdrawn }
}

/** By the token's own events: what was promised is not what was paid. */
function gasTokenOf({ from, gasPayment }: TransactionDocument, { logs }: Inclusion): Pick<Closing, 'gasTokenAmount'> {
  return gasPayment === undefined ? {} : { gasTokenAmount: String(paidIn(logs, { ...gasPayment, from })) }
}

function gasOf({ hash, blockHash, blockNumber, gasUsed, effectiveGasPrice, l1Fee }: Inclusion): Gas {
  const amounts = { gasUsed: String(gasUsed), effectiveGasPrice: String(effectiveGasPrice), l1Fee: String(l1Fee) }
  return { hash, blockHash, blockNumber: String(blockNumber), ...amounts }
}

/** What the sending engine's record means for a relay transaction. */
import type { Inclusion, SendRecord } from '../../../gateway/plugin-api.ts'
import type { DelegateAdapter, Read } from '../delegates/delegate.ts'
import { paidIn } from '../gas-token/transfers.ts'
import type { Closing, FailureCode, Gas, TransactionDocument } from './transaction.ts'

/** Whether a node has, or may have, its bytes. */
export function isSent({ state }: SendRecord): boolean {
  return state !== 'accepted' && state !== 'claimed' && state !== 'signed' && state !== 'failed'
}

/**
 * Its end, undefined while there is none. What is mined but not yet final is none: it may come back otherwise.
 * @param read At the account, at the block of the receipt.
 */
export async function closingOf(
  document: TransactionDocument,
  record: SendRecord,
  adapter: DelegateAdapter,
  read: (inclusion: Inclusion) => Read,
): Promise<Closing | undefined> {
  const { state, inclusion, cancelCost } = record
  if (state === 'failed') return unsent(document, record)
  if (state === 'replaced') {
    // With a cost it was our own cancel, after the time was up.
    if (cancelCost === undefined) return { phase: 'failed', cost: '0', failure: 'relay_superseded' }
    return { phase: 'expired', cost: String(cancelCost) }
  }
  if (state !== 'final' || inclusion === undefined) return undefined
  const mined = { cost: String(inclusion.cost), gas: gasOf(inclusion), ...gasTokenOf(document, inclusion) }
  if (inclusion.status === 'reverted') return { phase: 'failed', ...mined, failure: 'relay_reverted' }
  const batch = { nonce: BigInt(document.batchNonce), digest: document.batchDigest }
  const hasRun = await adapter.hasRun(batch, document.from, inclusion.logs, read(inclusion))
  return hasRun ? { phase: 'confirmed', ...mined } : { phase: 'failed', ...mined, failure: 'relay_effect_missing' }
}

function unsent({ cancelled }: TransactionDocument, { failure }: SendRecord): Closing {
  if (failure === 'send_expired') return { phase: 'expired', cost: '0' }
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

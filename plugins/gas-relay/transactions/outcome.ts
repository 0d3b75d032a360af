/** What the sending engine's record means for a relay transaction. */
import type { Inclusion, SendRecord } from '../../../gateway/plugin-api.ts'
import type { DelegateAdapter } from '../delegates/delegate.ts'
import { paidIn } from '../gas-token/transfers.ts'
import type { Closing, FailureCode, Gas, TransactionDocument } from './transaction.ts'

/** Whether a node has, or may have, its bytes. */
export function isSent({ state }: SendRecord): boolean {
  return state !== 'accepted' && state !== 'claimed' && state !== 'signed' && state !== 'failed'
}

/**
 * Its end, undefined while there is none. What is mined but not yet final is none: it may come back otherwise. Nor is a
 * success whose evidence has not been read.
 */
export function closingOf(
  document: TransactionDocument,
  record: SendRecord,
  adapter: DelegateAdapter,
): Closing | undefined {
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
  const { from, batchNonce, batchDigest, evidence } = document
  if (evidence?.blockHash !== inclusion.blockHash) return undefined
  const batch = { nonce: BigInt(batchNonce), digest: batchDigest }
  const next = evidence.nextNonce === undefined ? undefined : BigInt(evidence.nextNonce)
  const hasRun = evidence.isDelegated && adapter.hasRun(batch, from, inclusion.logs, next)
  return hasRun ? { phase: 'confirmed', ...mined } : { phase: 'failed', ...mined, failure: 'relay_effect_missing' }
}

/** The block of a success whose evidence is still to be read. */
export function unreadBlock({ evidence }: TransactionDocument, { inclusion }: SendRecord): Inclusion | undefined {
  return inclusion?.status === 'success' && inclusion.blockHash !== evidence?.blockHash ? inclusion : undefined
}

/** Whether the record still says what the end was made of: mined in the same block, or in none. */
export function stillSays({ state, inclusion, cancelCost }: SendRecord, closing: Closing | undefined): boolean {
  if (state !== 'final' && state !== 'replaced' && state !== 'failed') return false
  const mined = state === 'final' ? inclusion : undefined
  return closing?.gas?.blockHash === mined?.blockHash && closing?.cost === String(mined?.cost ?? cancelCost ?? 0n)
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

/**
 * The receipt says what the signer decided about an activity, and which receipt came before it in its chain, so that
 * nobody can take an entry out of the log, change it or put one in without its being seen.
 */
import { attest, digest } from 'keystead:engine/engine@0.1.0'
import { bytesToHex, utf8ToBytes } from '../protocol/bytes.ts'
import type { OutcomeStatus } from '../protocol/messages.ts'
import { RefusalError, type RefusalCode } from '../protocol/refusals.ts'
import type { GateOutcome, GateRequest, Receipt } from './wit-types.ts'

export interface Decided extends Omit<GateOutcome, 'receipt'> {
  /** SHA-256 of the evaluation's text. */
  evaluationDigest: Uint8Array
}

const receiptOfRefusal = new WeakMap<RefusalError, Receipt>()

/** The receipt that `withReceipt` has made for a refusal. */
export function receiptOf(refusal: RefusalError): Receipt | undefined {
  return receiptOfRefusal.get(refusal)
}

/**
 * Runs the decision; what comes of it, a refusal too, leaves with its receipt. A bug has none: it ends the host, and
 * the chain with it.
 */
export function withReceipt(request: GateRequest, organizationId: string, decide: () => Decided): GateOutcome {
  const isFirst = Number(request.place.sequence) === 1
  const receipt = (outcome: OutcomeStatus | RefusalCode, decided?: Decided): Receipt => {
    const text = receiptText(request, organizationId, outcome, decided)
    return { text, signature: isFirst ? compactSignature(attest(utf8ToBytes(text))) : undefined }
  }
  try {
    const decided = decide()
    return { ...decided, receipt: receipt(decided.status, decided) }
  } catch (error) {
    if (error instanceof RefusalError) receiptOfRefusal.set(error, receipt(error.refusal.code))
    throw error
  }
}

/**
 * Format 2; member order is fixed; refusals have no digests of result and evaluation. `type` keeps it apart from whatever
 * else the identity signs. Only the first of a chain has `receiptKey`, which signs all others: one signature of the
 * identity for each would cost more than all the rest of an activity.
 */
function receiptText(
  { activityId, bodyDigest, nowMs, place }: GateRequest,
  organizationId: string,
  outcome: OutcomeStatus | RefusalCode,
  decided: Decided | undefined,
): string {
  return JSON.stringify({
    format: 2,
    type: 'RECEIPT',
    organizationId,
    activityId,
    bodyDigest: bytesToHex(bodyDigest),
    outcome,
    resultDigest: decided && bytesToHex(digest('sha256', utf8ToBytes(decided.result))),
    evaluationDigest: decided && bytesToHex(decided.evaluationDigest),
    componentDigest: bytesToHex(place.componentDigest),
    chain: { chainId: place.chainId, startedAtMs: Number(place.startedAtMs) },
    sequence: Number(place.sequence),
    receiptKey: Number(place.sequence) === 1 ? bytesToHex(place.receiptKey) : undefined,
    previous: bytesToHex(place.previous),
    timeMs: Number(nowMs),
  })
}

/** r and s of the engine's own DER (X.690), 32 bytes each. */
function compactSignature(der: Uint8Array): Uint8Array {
  const compact = new Uint8Array(64)
  let at = 2
  for (const end of [32, 64]) {
    const length = der[at + 1] as number
    // A sign byte of zero falls off in front, a short number is filled up there.
    const digits = der.slice(at + 2, at + 2 + length).slice(-32)
    compact.set(digits, end - digits.length)
    at += 2 + length
  }
  return compact
}

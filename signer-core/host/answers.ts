/** Turns what the gate said into what goes over the wire. */
import { bytesToHex } from '../protocol/bytes.ts'
import type { Answer, Notarized, Outcome, PolicyEvaluation, Receipt } from '../protocol/messages.ts'
import { isRefusalCode, RefusalError, type Refusal } from '../protocol/refusals.ts'
import { isJsonObject } from '../protocol/strict-json.ts'
import type { GateNotarized, GateOutcome, GateReceipt } from './signer.d.ts'

/** The value, or the refusal that came out instead of it. Whatever else is thrown goes on: it is a bug. */
export function answer<T>(decide: () => T): Answer<T> {
  try {
    return { ok: true, value: decide() }
  } catch (error) {
    const refusal = error instanceof RefusalError ? error.refusal : refusalOf(error)
    if (refusal === undefined) throw error
    return { ok: false, refusal }
  }
}

/** A ComponentError carries the WIT refusal as `payload`; a code that we do not know is a bug, too. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('payload' in error) || !isJsonObject(error.payload)) return undefined
  const { code, message, field, policyEvaluations, receipt } = error.payload
  if (typeof code !== 'string' || typeof message !== 'string' || typeof field !== 'string') return undefined
  if (!isRefusalCode(code)) return undefined
  // Their types are the WIT's; JSON has no undefined.
  const evaluations = policyEvaluations as unknown as PolicyEvaluation[]
  const signed = receipt as unknown as GateReceipt | undefined
  return {
    code,
    message,
    field,
    ...(evaluations.length > 0 && { policyEvaluations: evaluations }),
    ...(signed && { receipt: presentReceipt(signed) }),
  }
}

/** The signature is empty where it is the host's to give. */
function presentReceipt({ text, signature }: GateReceipt): Receipt {
  return { text, signature: signature === undefined ? '' : bytesToHex(signature) }
}

export function presentNotarized({ text, seal }: GateNotarized): Notarized {
  return { text, seal: bytesToHex(seal) }
}

export function presentOutcome(outcome: GateOutcome): Outcome {
  return {
    status: outcome.status,
    result: outcome.result,
    evaluation: presentNotarized(outcome.evaluation),
    newKeys: outcome.newKeys.map(({ key, facts }) => ({
      key: {
        keyId: key.keyId,
        curve: key.curve,
        ...presentSealed(key),
        ...(key.certificate && { certificate: presentNotarized(key.certificate) }),
      },
      facts,
    })),
    newWallets: outcome.newWallets.map(({ wallet, facts }) => ({
      wallet: { walletId: wallet.walletId, sealed: base64(wallet.sealed) },
      facts,
    })),
    changes: outcome.changes,
    ...(outcome.importTarget && { importTarget: presentSealed(outcome.importTarget) }),
    ...(outcome.organization && { organization: presentNotarized(outcome.organization) }),
    ...(outcome.newOrganization && { newOrganization: presentNotarized(outcome.newOrganization) }),
    organizationVersion: Number(outcome.organizationVersion),
    receipt: presentReceipt(outcome.receipt),
  }
}

function presentSealed(record: { publicKey: Uint8Array; sealed: Uint8Array }): { publicKey: string; sealed: string } {
  return { publicKey: bytesToHex(record.publicKey), sealed: base64(record.sealed) }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

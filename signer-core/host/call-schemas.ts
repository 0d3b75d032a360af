/** The shapes of the gateway's calls. Everything in a call is untrusted; what its bytes mean the gate finds out. */
import {
  BODY_BYTES_MAX,
  CHAIN_MARKS_MAX,
  IDS_PER_DELETION_MAX,
  KEYS_PER_ACTIVITY_MAX,
  NAME_LENGTH_MAX,
  ORGANIZATION_RECORD_BYTES_MAX,
  POLICIES_MAX,
  TEXT_LENGTH_MAX,
  VOTES_MAX,
} from '../protocol/limits.ts'
import { policyEffect, uuid } from '../protocol/organization-record.ts'
import { integer, list, object, oneOf, optional, pattern, text, type Schema } from '../protocol/schema.ts'

/** Above every sealed key (61 bytes today), sealed wallet (125), seal and public key; the engine knows the exact lengths. */
const SMALL_BYTES_MAX = 512

const smallHex = pattern(new RegExp(`^(?:[0-9a-f]{2}){0,${SMALL_BYTES_MAX}}$`), 'lower-case hexadecimal')
const anything: Schema<unknown> = { read: (value) => value }
const expression = optional(text(TEXT_LENGTH_MAX, { emptyAllowed: true }))

const notarized = object({ text: text(ORGANIZATION_RECORD_BYTES_MAX), seal: smallHex })
const sealedKey = object({
  keyId: text(NAME_LENGTH_MAX),
  curve: oneOf(['secp256k1', 'ed25519', 'p256']),
  publicKey: smallHex,
  sealed: base64(SMALL_BYTES_MAX),
  certificate: optional(notarized),
})
const sealedWallet = object({ walletId: uuid, sealed: base64(SMALL_BYTES_MAX) })
const importTarget = object({ publicKey: smallHex, sealed: base64(SMALL_BYTES_MAX) })

const brought = {
  organization: notarized,
  keys: list(sealedKey, KEYS_PER_ACTIVITY_MAX),
  wallets: optional(list(sealedWallet, IDS_PER_DELETION_MAX)),
  exportedIds: optional(list(uuid, IDS_PER_DELETION_MAX)),
  importTarget: optional(importTarget),
}
const stamped = { activityId: uuid, body: base64(BODY_BYTES_MAX), stamp: anything }
const votes = list(object(stamped), VOTES_MAX)

export const performCallSchema = object({
  ...stamped,
  ...brought,
  evaluation: optional(notarized),
  votes: optional(votes),
  target: optional(object({ ...stamped, votes, evaluation: notarized })),
  receipts: optional(
    object({
      session: uuid,
      marks: list(object({ chainId: uuid, sequence: integer(1, Number.MAX_SAFE_INTEGER) }), CHAIN_MARKS_MAX),
    }),
  ),
  /** Only a dry run has any. */
  candidatePolicies: absent('candidatePolicies'),
})

export const simulateCallSchema = object({
  activityId: uuid,
  body: base64(BODY_BYTES_MAX),
  ...brought,
  subjects: list(object({ userId: uuid, publicKey: optional(smallHex) }), VOTES_MAX, { countMin: 1 }),
  atMs: optional(integer(0, Number.MAX_SAFE_INTEGER)),
  candidatePolicies: optional(
    list(
      object({
        policyId: text(NAME_LENGTH_MAX),
        effect: policyEffect,
        condition: expression,
        consensus: expression,
        time: expression,
      }),
      POLICIES_MAX,
    ),
  ),
})

export const operatorCallSchema = object({
  foundOrganization: optional(text(ORGANIZATION_RECORD_BYTES_MAX)),
  identity: optional(anything),
})

/** A member that would mean something elsewhere, so that ignoring it here could mislead. */
function absent(name: string): Schema<undefined> {
  return {
    read(value, field, violations) {
      if (value !== undefined && value !== null) violations.push({ field, description: `${name} must not be given` })
      return undefined
    },
  }
}

/** Canonical base64 only. Buffer's decoder skips what it does not know, so the way back must give the same text. */
function base64(bytesMax: number): Schema<Uint8Array> {
  const encoded = text(Math.ceil(bytesMax / 3) * 4)
  return {
    read(value, field, violations) {
      const characters = encoded.read(value, field, violations)
      const bytes = Buffer.from(characters ?? '', 'base64')
      if (bytes.length > bytesMax || bytes.toString('base64') !== characters) {
        violations.push({ field, description: `${field} must be base64 of at most ${bytesMax} bytes` })
      }
      return bytes
    },
  }
}

/** Turns the gateway's call into the gate's request. Everything in a call is untrusted. */
import { createHash } from 'node:crypto'
import {
  BODY_BYTES_MAX,
  CHAIN_MARKS_MAX,
  IDS_PER_DELETION_MAX,
  KEYS_PER_ACTIVITY_MAX,
  NAME_LENGTH_MAX,
  ORGANIZATION_RECORD_BYTES_MAX,
} from '../protocol/limits.ts'
import type { OperatorCall, ReceiptsStored } from '../protocol/messages.ts'
import { uuid } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import {
  integer,
  list,
  object,
  oneOf,
  optional,
  parse,
  pattern,
  text,
  type Schema,
  type TypeOf,
} from '../protocol/schema.ts'
import { readStamp } from '../protocol/stamp.ts'
import type { GateNotarized, GateRequest } from './signer.d.ts'
import { isStampOf } from './stamp-check.ts'

/** Above every sealed key (61 bytes today), sealed wallet (125), seal and public key; the engine knows the exact lengths. */
const SMALL_BYTES_MAX = 512

const smallHex = pattern(new RegExp(`^(?:[0-9a-f]{2}){0,${SMALL_BYTES_MAX}}$`), 'lower-case hexadecimal')
const anything: Schema<unknown> = { read: (value) => value }
const notarized = object({ text: text(ORGANIZATION_RECORD_BYTES_MAX), seal: smallHex })
const sealedKey = object({
  keyId: text(NAME_LENGTH_MAX),
  curve: oneOf(['secp256k1', 'ed25519', 'p256']),
  publicKey: smallHex,
  sealed: base64(SMALL_BYTES_MAX),
})
const sealedWallet = object({ walletId: uuid, sealed: base64(SMALL_BYTES_MAX) })
const importTarget = object({ publicKey: smallHex, sealed: base64(SMALL_BYTES_MAX) })
const performCallSchema = object({
  activityId: uuid,
  body: base64(BODY_BYTES_MAX),
  stamp: anything,
  organization: notarized,
  keys: list(sealedKey, KEYS_PER_ACTIVITY_MAX),
  wallets: optional(list(sealedWallet, IDS_PER_DELETION_MAX)),
  exportedIds: optional(list(uuid, IDS_PER_DELETION_MAX)),
  importTarget: optional(importTarget),
  evaluation: optional(notarized),
  receipts: optional(
    object({
      session: uuid,
      marks: list(object({ chainId: uuid, sequence: integer(1, Number.MAX_SAFE_INTEGER) }), CHAIN_MARKS_MAX),
    }),
  ),
})
const operatorCallSchema = object({
  foundOrganization: optional(text(ORGANIZATION_RECORD_BYTES_MAX)),
  identity: optional(anything),
})

/** What the host adds to the gateway's call. */
type OwnMembers = 'nowMs' | 'organizationVersionSeen' | 'place'

interface ReadCall {
  request: Omit<GateRequest, OwnMembers>
  receipts: ReceiptsStored | undefined
}

/** @throws {RefusalError} `BODY_INVALID` or `STAMP_INVALID`. */
export function readPerformCall(payload: Uint8Array): ReadCall {
  const call = readCall(performCallSchema, payload)
  const stamp = readStamp(call.stamp)
  if (stamp === undefined || !isStampOf(stamp, call.body)) throw new RefusalError('STAMP_INVALID', 'stamp invalid')
  const request = {
    activityId: call.activityId,
    body: decodeUtf8(call.body),
    bodyDigest: createHash('sha256').update(call.body).digest(),
    stampScheme: stamp.scheme,
    stampPublicKey: stamp.publicKey,
    organization: bytesOfSeal(call.organization),
    keys: call.keys.map(withBytes),
    wallets: call.wallets ?? [],
    exportedIds: call.exportedIds ?? [],
    importTarget: call.importTarget && withBytes(call.importTarget),
    evaluation: call.evaluation && bytesOfSeal(call.evaluation),
  }
  return { request, receipts: call.receipts }
}

/** @throws {RefusalError} `BODY_INVALID`. */
export function readOperatorCall(payload: Uint8Array): OperatorCall {
  const { foundOrganization, identity } = readCall(operatorCallSchema, payload)
  if (foundOrganization !== undefined) return { foundOrganization }
  if (identity === true) return { identity }
  throw new RefusalError('BODY_INVALID', 'call malformed')
}

function readCall<T>(schema: Schema<T>, payload: Uint8Array): T {
  const json = decodeUtf8(payload)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new RefusalError('BODY_INVALID', 'call is not JSON')
  }
  const call = parse(schema, value)
  if (!call.ok) throw new RefusalError('BODY_INVALID', 'call malformed', call.violations[0]?.field)
  return call.value
}

/** A byte order mark stays a character: the text must be exactly the stamped bytes. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new RefusalError('BODY_INVALID', 'not UTF-8')
  }
}

function withBytes<T extends { publicKey: string }>(record: T): Omit<T, 'publicKey'> & { publicKey: Uint8Array } {
  return { ...record, publicKey: Buffer.from(record.publicKey, 'hex') }
}

function bytesOfSeal(record: TypeOf<typeof notarized>): GateNotarized {
  return { text: record.text, seal: Buffer.from(record.seal, 'hex') }
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

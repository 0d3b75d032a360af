/** Turns the gateway's call into the gate's request: reads it, checks every stamp in it, hashes what was stamped. */
import { createHash } from 'node:crypto'
import type { OperatorCall, ReceiptsStored } from '../protocol/messages.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { parse, type Schema, type TypeOf } from '../protocol/schema.ts'
import { readStamp } from '../protocol/stamp.ts'
import { isJsonObject } from '../protocol/strict-json.ts'
import { operatorCallSchema, performCallSchema, simulateCallSchema } from './call-schemas.ts'
import type { GateNotarized, GateRequest, GateSimulationRequest, GateStamped } from './signer.d.ts'
import { isStampOf } from './stamp-check.ts'

/** What the host adds to the gateway's call. */
type OwnMembers = 'nowMs' | 'organizationSeen' | 'place'

export interface ReadPerform {
  kind: 'perform'
  request: Omit<GateRequest, OwnMembers>
  receipts: ReceiptsStored | undefined
}

export interface ReadSimulate {
  kind: 'simulate'
  request: Omit<GateSimulationRequest, OwnMembers>
  atMs: bigint | undefined
}

type PerformCall = TypeOf<typeof performCallSchema>
type SimulateCall = TypeOf<typeof simulateCallSchema>

/** @throws {RefusalError} `BODY_INVALID` or `STAMP_INVALID`. */
export function readActivityCall(payload: Uint8Array): ReadPerform | ReadSimulate {
  const call = parseCall(payload)
  return isJsonObject(call) && call['dryRun'] === true
    ? readSimulate(checked(simulateCallSchema, call))
    : readPerform(checked(performCallSchema, call))
}

function readPerform(call: PerformCall): ReadPerform {
  const request = {
    ...readStamped(call),
    ...broughtBy(call),
    evaluation: call.evaluation && bytesOfSeal(call.evaluation),
    votes: (call.votes ?? []).map(readStamped),
    target: call.target && {
      stamped: readStamped(call.target),
      votes: call.target.votes.map(readStamped),
      evaluation: bytesOfSeal(call.target.evaluation),
    },
  }
  return { kind: 'perform', request, receipts: call.receipts }
}

function readSimulate(call: SimulateCall): ReadSimulate {
  const { activityId, body, subjects, atMs, candidatePolicies } = call
  const request = {
    activityId,
    body: decodeUtf8(body),
    bodyDigest: sha256(body),
    ...broughtBy(call),
    subjects: subjects.map(({ userId, publicKey }) => ({ userId, publicKey })),
    candidatePolicies: candidatePolicies && JSON.stringify(candidatePolicies),
  }
  return { kind: 'simulate', request, atMs: atMs === undefined ? undefined : BigInt(atMs) }
}

/** @throws {RefusalError} `STAMP_INVALID` unless the stamp's key has signed exactly these bytes. */
function readStamped(each: { activityId: string; body: Uint8Array; stamp: unknown }): GateStamped {
  const stamp = readStamp(each.stamp)
  if (stamp === undefined || !isStampOf(stamp, each.body)) throw new RefusalError('STAMP_INVALID', 'stamp invalid')
  return {
    activityId: each.activityId,
    body: decodeUtf8(each.body),
    bodyDigest: sha256(each.body),
    stampScheme: stamp.scheme,
    stampPublicKey: stamp.publicKey,
  }
}

function broughtBy(call: PerformCall | SimulateCall) {
  return {
    organization: bytesOfSeal(call.organization),
    organizationDigest: sha256(call.organization.text),
    keys: call.keys.map((key) => ({
      ...withBytes(key),
      certificate: key.certificate && bytesOfSeal(key.certificate),
    })),
    wallets: call.wallets ?? [],
    exportedIds: call.exportedIds ?? [],
    importTarget: call.importTarget && withBytes(call.importTarget),
  }
}

/** @throws {RefusalError} `BODY_INVALID`. */
export function readOperatorCall(payload: Uint8Array): OperatorCall {
  const { foundOrganization, identity } = checked(operatorCallSchema, parseCall(payload))
  if (foundOrganization !== undefined) return { foundOrganization }
  if (identity === true) return { identity }
  throw new RefusalError('BODY_INVALID', 'call malformed')
}

function parseCall(payload: Uint8Array): unknown {
  const json = decodeUtf8(payload)
  try {
    return JSON.parse(json)
  } catch {
    throw new RefusalError('BODY_INVALID', 'call is not JSON')
  }
}

function checked<T>(schema: Schema<T>, value: unknown): T {
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

function sha256(data: Uint8Array | string): Uint8Array {
  return createHash('sha256').update(data).digest()
}

function withBytes<T extends { publicKey: string }>(record: T): Omit<T, 'publicKey'> & { publicKey: Uint8Array } {
  return { ...record, publicKey: Buffer.from(record.publicKey, 'hex') }
}

function bytesOfSeal(record: { text: string; seal: string }): GateNotarized {
  return { text: record.text, seal: Buffer.from(record.seal, 'hex') }
}

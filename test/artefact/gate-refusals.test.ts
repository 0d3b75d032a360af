/** Each check of the gate beside the fault that it must catch. Every request here is genuine but for one thing. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import test from 'ava'
import { Bench, refusalOf, type GateRequest, type KeyRecord } from '../support/component.ts'

const dataKey = randomBytes(32)
const bench = await Bench.open(dataKey)
const other = await Bench.open(dataKey)
const { perform } = bench.component.gate
const key = bench.create('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM']).key

const genuine = (overrides: Partial<GateRequest> = {}) =>
  bench.signRequest(key, 'hello', 'HASH_FUNCTION_KECCAK256', undefined, overrides)
const withKey = (changed: Partial<KeyRecord>) => genuine({ keys: [{ ...key, ...changed }] })
const codeOf = (request: GateRequest) => refusalOf(() => perform(request)).code

test('the genuine request is signed', (t) => {
  t.notThrows(() => perform(genuine()))
})

test('a sealed key opens only for its organization, id, curve and public key', (t) => {
  const foreign = other.create('CURVE_SECP256K1').key
  t.is(codeOf(genuine({ keys: [{ ...foreign, keyId: key.keyId }] })), 'SEALED_KEY_REFUSED')
  t.is(codeOf(withKey({ curve: 'p256' })), 'SEALED_KEY_REFUSED')
  const second = bench.create('CURVE_SECP256K1').key
  t.is(codeOf(withKey({ sealed: second.sealed })), 'SEALED_KEY_REFUSED')
  t.is(codeOf(withKey({ publicKey: second.publicKey })), 'SEALED_KEY_REFUSED')
  t.is(codeOf(withKey({ sealed: key.sealed.slice(0, -1) })), 'SEALED_KEY_REFUSED')
  t.is(codeOf(withKey({ sealed: new Uint8Array() })), 'SEALED_KEY_REFUSED')
})

test('every altered bit region of a sealed key is found', (t) => {
  for (let at = 0; at < key.sealed.length; at += 4) {
    const sealed = Uint8Array.from(key.sealed)
    sealed[at] = (sealed[at] as number) ^ 0x10
    t.is(codeOf(withKey({ sealed })), 'SEALED_KEY_REFUSED', `byte ${at}`)
  }
})

test('a key that the body does not name is not used', (t) => {
  t.is(codeOf(genuine({ keys: [] })), 'KEY_NOT_FOUND')
  t.is(codeOf(genuine({ keys: [bench.create('CURVE_SECP256K1').key] })), 'KEY_NOT_FOUND')
})

test('an organization record counts only under the engine’s seal', (t) => {
  const { organization } = bench
  const text = organization.text.replace('"userName":"root"', '"userName":"evil"')
  t.is(codeOf(genuine({ organization: { ...organization, text } })), 'ORGANIZATION_RECORD_REFUSED')
  const seal = Uint8Array.from(organization.seal)
  seal[0] = (seal[0] as number) ^ 1
  t.is(codeOf(genuine({ organization: { ...organization, seal } })), 'ORGANIZATION_RECORD_REFUSED')
  t.is(codeOf(genuine({ organization: { ...organization, seal: seal.slice(1) } })), 'ORGANIZATION_RECORD_REFUSED')
  t.is(codeOf(genuine({ organization: other.organization })), 'ORGANIZATION_MISMATCH')
})

test('a record that was vouched for under its seal is not believed under another', (t) => {
  perform(genuine())
  const seal = new Uint8Array(32)
  t.is(codeOf(genuine({ organization: { ...bench.organization, seal } })), 'ORGANIZATION_RECORD_REFUSED')
})

test('an evaluation is no organization record', (t) => {
  const { evaluation } = perform(genuine())
  t.is(codeOf(genuine({ organization: evaluation })), 'ORGANIZATION_RECORD_REFUSED')
})

test('an older record than the host has seen is refused', (t) => {
  const digest = createHash('sha256').update(bench.organization.text).digest()
  t.is(codeOf(genuine({ organizationSeen: { version: 2n, digest } })), 'ORGANIZATION_RECORD_OUTDATED')
  t.notThrows(() => perform(genuine({ organizationSeen: { version: 1n, digest } })))
  t.is(codeOf(genuine({ organizationSeen: { version: 1n, digest: new Uint8Array(32) } })), 'ORGANIZATION_FORKED')
})

test('an evaluation is good for its own activity, body and organization only', (t) => {
  const activityId = randomUUID()
  const request = genuine({ activityId })
  const { evaluation } = perform(request)
  t.notThrows(() => perform({ ...request, evaluation }), 'the same once more')
  t.is(codeOf({ ...request, evaluation, activityId: randomUUID() }), 'SIGNER_REQUEST_MISMATCH')
  t.is(codeOf({ ...request, evaluation, bodyDigest: randomBytes(32) }), 'SIGNER_REQUEST_MISMATCH')
  const payload = bench.signRequest(key, 'other', 'HASH_FUNCTION_KECCAK256', undefined, { activityId })
  t.is(codeOf({ ...payload, bodyDigest: request.bodyDigest, evaluation }), 'SIGNER_REQUEST_MISMATCH')
  const text = evaluation.text.replace('OUTCOME_ALLOW', 'OUTCOME_DENIE')
  t.is(codeOf({ ...request, evaluation: { ...evaluation, text } }), 'SIGNER_REQUEST_MISMATCH')
  t.is(codeOf({ ...request, evaluation: { ...evaluation, seal: randomBytes(32) } }), 'SIGNER_REQUEST_MISMATCH')
})

test('only a key of a user of the organization speaks', (t) => {
  t.is(codeOf(genuine({ stampPublicKey: `03${'11'.repeat(32)}` })), 'API_KEY_UNKNOWN')
  t.is(codeOf(genuine({ stampPublicKey: '' })), 'API_KEY_UNKNOWN')
  t.is(codeOf(genuine({ stampScheme: 'SIGNATURE_SCHEME_X' })), 'API_KEY_UNKNOWN')
})

test('bodies that two readers could take for different things are refused', (t) => {
  const { body } = genuine()
  const bodies = {
    'duplicate member': body.replace('{', '{"type":"x",'),
    'text after the value': `${body}{}`,
    'no object': '[]',
    'not JSON': '{',
    'wrong type of a member': body.replace(/"timestampMs":"\d+"/, '"timestampMs":1'),
    'lone surrogate': body.replace('hello', '\\ud800'),
  }
  for (const [name, each] of Object.entries(bodies)) t.is(codeOf(genuine({ body: each })), 'BODY_INVALID', name)
})

test('an unknown activity type is refused', (t) => {
  const types = ['ACTIVITY_TYPE_X', 'ACTIVITY_TYPE_DELETE_ORGANIZATION', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V3']
  for (const type of types) t.is(codeOf(bench.request(type, {})), 'ACTIVITY_TYPE_UNKNOWN', type)
})

test('payload, hash function and curve must fit', (t) => {
  const ed = bench.create('CURVE_ED25519').key
  const hex = 'PAYLOAD_ENCODING_HEXADECIMAL'
  const cases: [KeyRecord, string, string, string | undefined][] = [
    [key, '00'.repeat(31), 'HASH_FUNCTION_NO_OP', hex],
    [key, '00'.repeat(33), 'HASH_FUNCTION_NO_OP', hex],
    [key, 'hello', 'HASH_FUNCTION_NOT_APPLICABLE', undefined],
    [key, '0', 'HASH_FUNCTION_SHA256', hex],
    [key, 'zz', 'HASH_FUNCTION_SHA256', hex],
    // Their low bytes are digits, in case a reader looked at bytes only.
    [key, '\u0130\u0131', 'HASH_FUNCTION_SHA256', hex],
    [key, 'é0', 'HASH_FUNCTION_SHA256', hex],
    [key, ' 0', 'HASH_FUNCTION_SHA256', hex],
    [ed, 'hello', 'HASH_FUNCTION_SHA256', undefined],
    [ed, 'hello', 'HASH_FUNCTION_KECCAK256', undefined],
    [ed, '00'.repeat(32), 'HASH_FUNCTION_NO_OP', hex],
    [key, 'hello', 'HASH_FUNCTION_X', undefined],
  ]
  for (const each of cases) t.is(codeOf(bench.signRequest(...each)), 'PARAMETERS_INVALID', `${each[1]} ${each[2]}`)
})

test('a key is found by each of its addresses, in any case of hexadecimal letters', (t) => {
  const { facts, key: named } = bench.create('CURVE_SECP256K1', [
    'ADDRESS_FORMAT_ETHEREUM',
    'ADDRESS_FORMAT_UNCOMPRESSED',
  ])
  const { addresses, publicKey } = JSON.parse(facts) as { addresses: { address: string }[]; publicKey: string }
  const names = [...addresses.map((each) => each.address), publicKey]
  for (const signWith of names.flatMap((name) => [
    name,
    name.toLowerCase(),
    `${name.slice(0, 2)}${name.slice(2).toUpperCase()}`,
  ])) {
    const parameters = {
      signWith,
      payload: 'x',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    }
    t.notThrows(() => perform(bench.request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, [named])), signWith)
  }
})

test('nothing is signed before the data key is there, nor after it is wiped', async (t) => {
  const late = await Bench.open(dataKey, bench.organizationId)
  late.component.vault.wipe()
  const error = t.throws(() => late.component.gate.perform(genuine()), { any: true }) as { payload?: unknown }
  t.is(error.payload, undefined, 'a trap, which ends the host, not a refusal')
})

/** Activities over HTTP without any SDK: the envelope, idempotency, and who may see what. spec.md "Activity". */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import canonicalize from 'canonicalize'
import { Client, newTimestampMs, postBytes, stampOf, type HttpAnswer } from '../support/client.ts'
import { engineName } from '../support/component.ts'
import { startService } from '../support/service.ts'

const service = await startService()
test.after.always(() => service.dispose())

const { baseUrl, operator } = service.dev
const client = new Client(baseUrl, service.dev)
const operatorClient = new Client(baseUrl, operator)
const { organizationId } = service.dev

const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const keyNamed = (privateKeyName: string, curve = 'CURVE_ED25519', addressFormats: string[] = []) => ({
  privateKeys: [{ privateKeyName, curve, privateKeyTags: [], addressFormats }],
})

function submitBody(type: string, parameters: object, timestampMs = newTimestampMs()) {
  return { type, timestampMs, organizationId, parameters }
}

/** Stamps and posts exactly this text. */
function send(path: string, text: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return postBytes(baseUrl, `/public/v1${path}`, text, { 'X-Stamp': stampOf(client.credentials, text), ...headers })
}

async function keyCount(name: string): Promise<number> {
  const { privateKeys } = (await client.query('list_private_keys')).json
  return privateKeys.filter((each: { privateKeyName: string }) => each.privateKeyName === name).length
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('the envelope of a creation has all members of the specification and no other', async (t) => {
  const startedMs = Date.now()
  const parameters = keyNamed('envelope', 'CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_COMPRESSED'])
  const text = JSON.stringify(submitBody(CREATE, parameters))
  const answer = await send('/submit/create_private_keys', text)
  t.is(answer.status, 200)
  t.is(answer.headers.get('content-type'), 'application/json')
  t.deepEqual(Object.keys(answer.json), ['activity'])
  const { activity } = answer.json
  const { privateKeys } = activity.result.createPrivateKeysResultV2
  t.deepEqual(activity, {
    id: activity.id,
    organizationId,
    status: 'ACTIVITY_STATUS_COMPLETED',
    type: CREATE,
    intent: { createPrivateKeysIntentV2: parameters, createPrivateKeysIntent: parameters },
    result: {
      createPrivateKeysResultV2: { privateKeys },
      createPrivateKeysResult: { privateKeys, privateKeyIds: [privateKeys[0].privateKeyId] },
    },
    votes: [],
    fingerprint: `sha256:${sha256(text)}`,
    canApprove: false,
    canReject: false,
    createdAt: activity.createdAt,
    updatedAt: activity.updatedAt,
    failure: null,
  })
  t.deepEqual(
    Object.keys(activity.intent),
    ['createPrivateKeysIntentV2', 'createPrivateKeysIntent'],
    'the real one first',
  )
  t.deepEqual(Object.keys(activity.result), ['createPrivateKeysResultV2', 'createPrivateKeysResult'])
  t.regex(activity.id, UUID_V7)
  t.regex(privateKeys[0].privateKeyId, /^[0-9a-f-]{36}$/)
  t.deepEqual(Object.keys(privateKeys[0]), ['privateKeyId', 'addresses'])
  t.deepEqual(
    privateKeys[0].addresses.map((each: { format: string }) => each.format),
    parameters.privateKeys[0]?.addressFormats,
  )
  for (const time of [activity.createdAt, activity.updatedAt]) {
    t.deepEqual(Object.keys(time), ['seconds', 'nanos'])
    t.regex(time.seconds, /^[0-9]{10}$/)
    t.regex(time.nanos, /^(?:0|[1-9][0-9]{0,8})$/)
    t.true(Number(time.seconds) >= Math.floor(startedMs / 1000) && Number(time.seconds) <= Date.now() / 1000)
  }
})

test('the envelope of a signature, and get_activity gives it byte for byte', async (t) => {
  const { privateKeyId } = await client.createKey('CURVE_SECP256K1')
  const parameters = {
    signWith: privateKeyId,
    payload: 'héllo',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_SHA256',
  }
  const text = JSON.stringify(submitBody(SIGN, parameters))
  const answer = await send('/submit/sign_raw_payload', text)
  const { activity } = answer.json
  t.deepEqual(activity, {
    ...activity,
    status: 'ACTIVITY_STATUS_COMPLETED',
    type: SIGN,
    intent: { signRawPayloadIntentV2: parameters, signRawPayloadIntent: parameters },
    votes: [],
    fingerprint: `sha256:${sha256(text)}`,
    failure: null,
  })
  t.deepEqual(Object.keys(activity.result), ['signRawPayloadResult'])
  const { r, s, v, ...more } = activity.result.signRawPayloadResult
  t.deepEqual(more, {})
  t.regex(r, /^[0-9a-f]{64}$/)
  t.regex(s, /^[0-9a-f]{64}$/)
  t.regex(v, /^0[01]$/)
  const read = await client.query('get_activity', { activityId: activity.id })
  t.is(read.text, answer.text)
  t.is(read.headers.get('content-type'), 'application/json')
})

test('several keys in one activity keep the order of the request', async (t) => {
  const curves = ['CURVE_P256', 'CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256']
  const parameters = { privateKeys: curves.map((curve, i) => keyNamed(`ordered ${i}`, curve).privateKeys[0]) }
  const answer = await send('/submit/create_private_keys', JSON.stringify(submitBody(CREATE, parameters)))
  const { privateKeys, privateKeyIds } = answer.json.activity.result.createPrivateKeysResult
  t.is(new Set(privateKeyIds).size, 4)
  for (const [i, curve] of curves.entries()) {
    const { privateKeyId } = privateKeys[i]
    t.is(privateKeyIds[i], privateKeyId)
    const { privateKey } = (await client.query('get_private_key', { privateKeyId })).json
    t.deepEqual([privateKey.privateKeyName, privateKey.curve], [`ordered ${i}`, curve])
  }
})

test('an identical body gets the same answer, byte for byte, and does nothing again', async (t) => {
  const text = JSON.stringify(submitBody(CREATE, keyNamed('again')))
  const first = await send('/submit/create_private_keys', text)
  t.is(first.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  for (let i = 0; i < 3; i++) {
    // A fresh stamp each time: ECDSA stamps differ, the body does not.
    const again = await send('/submit/create_private_keys', text)
    t.is(again.status, 200)
    t.is(again.text, first.text)
  }
  t.is(await keyCount('again'), 1)
})

test('a changed timestampMs is a new activity', async (t) => {
  const bodies = [1, 2, 3].map(() => submitBody(CREATE, keyNamed('distinct')))
  const answers = await Promise.all(bodies.map((body) => send('/submit/create_private_keys', JSON.stringify(body))))
  t.is(new Set(answers.map((each) => each.json.activity.id)).size, 3)
  t.is(new Set(answers.map((each) => each.json.activity.fingerprint)).size, 3)
  t.is(await keyCount('distinct'), 3)
})

interface Fingerprints {
  real: { body: string; fingerprintInTheRealAnswer: string; sha256OfBodyBytes: string; sha256OfRfc8785: string }[]
  idempotency: { rfc8785: string; sha256OfRfc8785: string; bodies: { body: string; sha256OfBodyBytes: string }[] }
}
const vectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '../vectors/fingerprints.json'), 'utf8'),
) as Fingerprints

test('vectors: digests of bytes and of the RFC 8785 form', (t) => {
  t.is(vectors.real.length, 2)
  t.is(vectors.idempotency.bodies.length, 4)
  for (const { body, fingerprintInTheRealAnswer, sha256OfBodyBytes, sha256OfRfc8785 } of vectors.real) {
    t.is(`sha256:${sha256(body)}`, fingerprintInTheRealAnswer)
    t.is(sha256(body), sha256OfBodyBytes)
    t.is(sha256(canonicalize(JSON.parse(body)) as string), sha256OfRfc8785)
  }
  for (const { body, sha256OfBodyBytes } of vectors.idempotency.bodies) {
    t.is(sha256(body), sha256OfBodyBytes)
    t.is(canonicalize(JSON.parse(body)), vectors.idempotency.rfc8785)
  }
  t.is(sha256(vectors.idempotency.rfc8785), vectors.idempotency.sha256OfRfc8785)
})

/** The spellings of the vectors, about a key and an organization that are there. */
function spellingsFor(signWith: string): string[] {
  return vectors.idempotency.bodies.map(({ body }) =>
    body
      .replace('7533b2e6-08b1-4b7b-8f7b-1f4d9a6f3c21', organizationId)
      .replace('0x00000000000000000000000000000000000000Aa', signWith),
  )
}

test('vectors: other member order, white space and escapes are the same activity', async (t) => {
  const { addresses } = await client.createKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  const [address = ''] = addresses
  const spellings = spellingsFor(address)
  t.is(new Set(spellings).size, 4)
  const [plain = ''] = spellings
  const more = [
    plain.replace('"payload"', '"\\u0070ayload"'),
    plain.replace('"type"', '"\\u0074\\u0079pe"').replace('PAYLOAD_ENCODING', 'PAYLOAD\\u005fENCODING'),
    plain.replaceAll(',', '\t,\r\n ').replaceAll(':', ' :\t'),
    `\n ${plain}\t\r\n `,
  ]
  const first = await send('/submit/sign_raw_payload', plain)
  t.is(first.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.is(first.json.activity.fingerprint, `sha256:${sha256(plain)}`)
  for (const text of [...spellings, ...more]) {
    const answer = await send('/submit/sign_raw_payload', text)
    t.is(answer.text, first.text, text)
  }
})

test('vectors: the spellings at once are one activity, with the fingerprint of one of them', async (t) => {
  const { addresses } = await client.createKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  const spellings = spellingsFor(addresses[0] as string)
  const raced = await Promise.all([...spellings, ...spellings].map((text) => send('/submit/sign_raw_payload', text)))
  t.is(new Set(raced.map((each) => each.text)).size, 1)
  const fingerprints = spellings.map((text) => `sha256:${sha256(text)}`)
  t.true(fingerprints.includes(raced[0]?.json.activity.fingerprint))
})

test('what looks the same but is another body is another activity', async (t) => {
  const { privateKeyId } = await client.createKey('CURVE_ED25519')
  const timestampMs = newTimestampMs()
  const bodyWith = (payload: string, more: object = {}) => ({
    ...submitBody(SIGN, {
      signWith: privateKeyId,
      payload,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    }),
    timestampMs,
    ...more,
  })
  const bodies = [
    bodyWith('é'),
    bodyWith('e\u0301'),
    bodyWith('é '),
    bodyWith('É'),
    bodyWith('é', { generateAppProofs: null }),
    bodyWith('é', { generateAppProofs: false }),
  ]
  const answers = await Promise.all(bodies.map((body) => send('/submit/sign_raw_payload', JSON.stringify(body))))
  t.deepEqual([...new Set(answers.map((each) => each.status))], [200])
  t.is(new Set(answers.map((each) => each.json.activity.id)).size, bodies.length)
})

test('a type on a path that it does not belong to is 400', async (t) => {
  const { privateKeyId } = await client.createKey('CURVE_ED25519')
  const signing = {
    signWith: privateKeyId,
    payload: 'x',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  }
  const cases: [string, string, object][] = [
    ['sign_raw_payload', CREATE, keyNamed('misplaced')],
    ['sign_raw_payload', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS', keyNamed('misplaced')],
    ['create_private_keys', SIGN, signing],
    ['create_private_keys', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', signing],
    ['create_private_keys', 'ACTIVITY_TYPE_NO_SUCH', keyNamed('misplaced')],
    ['create_private_keys', 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', keyNamed('misplaced')],
    ['create_private_keys', 'toString', keyNamed('misplaced')],
  ]
  for (const [path, type, parameters] of cases) {
    const answer = await client.submit(path, type, parameters)
    t.is(answer.status, 400, type)
    t.is(answer.json.code, 3, type)
    t.is(answer.json.turnkeyErrorCode, 'REQUEST_INVALID', type)
  }
  t.is(await keyCount('misplaced'), 0)
})

test('a refused submit is an HTTP error without an activity, each time anew', async (t) => {
  const text = JSON.stringify(
    submitBody(SIGN, {
      signWith: 'nobody',
      payload: '',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    }),
  )
  const answers = [await send('/submit/sign_raw_payload', text), await send('/submit/sign_raw_payload', text)]
  for (const { status, json } of answers) {
    t.is(status, 404)
    t.is(json.code, 5)
    t.is(json.activity, undefined)
  }
})

test('get_activity of an unknown activity and of another organization’s is the same 404', async (t) => {
  const answer = await client.submit('create_private_keys', CREATE, keyNamed('foreign'), newTimestampMs())
  const activityId = answer.json.activity.id
  const asks = ['99999999-9999-7999-8999-999999999999', activityId, 'not a UUID', `${activityId} `]
  const refusals = await Promise.all(asks.map((id) => operatorClient.query('get_activity', { activityId: id })))
  for (const { status, json } of refusals) {
    t.is(status, 404)
    t.is(json.code, 5)
  }
  t.is(new Set(refusals.map((each) => each.text)).size, 1)
  const own = await client.query('get_activity', { activityId })
  t.is(own.text, answer.text)
  // The other way round as well: the user sees nothing of the operator's.
  const theirs = await operatorClient.submit('create_private_keys', CREATE, keyNamed('theirs'), newTimestampMs())
  const seen = await client.query('get_activity', { activityId: theirs.json.activity.id })
  t.deepEqual([...new Set([seen, ...refusals].map((each) => each.text))], [seen.text])
})

test('keys are listed, read and used in their own organization only', async (t) => {
  const mine = await client.createKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  const theirs = await operatorClient.createKey('CURVE_SECP256K1', ['ADDRESS_FORMAT_ETHEREUM'])
  const idsOf = async (each: Client): Promise<string[]> =>
    (await each.query('list_private_keys')).json.privateKeys.map((key: { privateKeyId: string }) => key.privateKeyId)
  const [mineListed, theirsListed] = [await idsOf(client), await idsOf(operatorClient)]
  t.true(mineListed.includes(mine.privateKeyId))
  t.false(mineListed.includes(theirs.privateKeyId))
  t.true(theirsListed.includes(theirs.privateKeyId))
  t.false(theirsListed.includes(mine.privateKeyId))

  const unknown = await client.query('get_private_key', { privateKeyId: '99999999-9999-4999-8999-999999999999' })
  const foreign = await client.query('get_private_key', { privateKeyId: theirs.privateKeyId })
  t.is(foreign.status, 404)
  t.is(foreign.text, unknown.text)

  const signUnknown = await client.sign('99999999-9999-4999-8999-999999999999', 'x', 'HASH_FUNCTION_SHA256')
  t.is(signUnknown.status, 404)
  for (const signWith of [theirs.privateKeyId, theirs.addresses[0] as string]) {
    const refused = await client.sign(signWith, 'x', 'HASH_FUNCTION_SHA256')
    t.is(refused.status, 404)
    t.is(refused.text, signUnknown.text)
  }
  t.is((await operatorClient.sign(theirs.privateKeyId, 'x', 'HASH_FUNCTION_SHA256')).status, 200)
})

test('the same body bytes stamped for another organization are nobody’s', async (t) => {
  const text = JSON.stringify(submitBody(CREATE, keyNamed('hijacked')))
  const stamp = stampOf(operator, text)
  const answer = await postBytes(baseUrl, '/public/v1/submit/create_private_keys', text, { 'X-Stamp': stamp })
  t.is(answer.status, 401)
  t.is(answer.json.turnkeyErrorCode, 'PUBLIC_KEY_NOT_FOUND')
  t.is(await keyCount('hijacked'), 0)
})

test('the Content-Type of a request does not matter, and may be missing', async (t) => {
  for (const contentType of ['', 'application/json', 'application/json; charset=utf-8', 'text/plain', 'nonsense']) {
    const headers: Record<string, string> = contentType === '' ? {} : { 'Content-Type': contentType }
    const answer = await send('/query/whoami', JSON.stringify({ organizationId }), headers)
    t.is(answer.status, 200, contentType)
    t.is(answer.headers.get('content-type'), 'application/json')
  }
})

test('a stamp may be padded, and its header may be spelled in any case', async (t) => {
  const text = JSON.stringify({ organizationId })
  const stamp = stampOf(client.credentials, text)
  const padded = stamp.padEnd(Math.ceil(stamp.length / 4) * 4, '=')
  for (const headers of [{ 'x-stamp': stamp }, { 'X-STAMP': padded }]) {
    t.is((await postBytes(baseUrl, '/public/v1/query/whoami', text, headers)).status, 200)
  }
})

test('unknown members are ignored and null counts as absent', async (t) => {
  const parameters = { ...keyNamed('extras'), generateAppProofs: true, somethingNew: { deep: [1, null] } }
  const body = { ...submitBody(CREATE, parameters), generateAppProofs: true, extra: null }
  const answer = await send('/submit/create_private_keys', JSON.stringify(body))
  t.is(answer.status, 200)
  t.is(answer.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.is(await keyCount('extras'), 1)

  const list = await client.query('list_private_keys', { paginationOptions: null, generateAppProofs: null })
  t.is(list.status, 200)
  for (const member of ['privateKeyName', 'curve', 'privateKeyTags', 'addressFormats']) {
    const [key] = keyNamed('nullified').privateKeys
    const refused = await client.submit('create_private_keys', CREATE, { privateKeys: [{ ...key, [member]: null }] })
    const without = { ...key, [member]: undefined }
    const absent = await client.submit('create_private_keys', CREATE, { privateKeys: [without] })
    t.is(refused.status, 400, member)
    t.is(refused.text, absent.text, member)
    const [, { fieldViolations }] = refused.json.details
    t.is(fieldViolations[0].field, `parameters.privateKeys.0.${member}`)
  }
  t.is(await keyCount('nullified'), 0)
})

test('every member of a submit body is required and checked', async (t) => {
  const good = submitBody(CREATE, keyNamed('incomplete'))
  const broken: [string, unknown, number][] = [
    ['type', undefined, 400],
    ['type', 7, 400],
    ['timestampMs', undefined, 400],
    ['timestampMs', 1_763_693_520_123, 400],
    ['timestampMs', '', 400],
    ['timestampMs', '-1', 400],
    ['timestampMs', '1e3', 400],
    ['timestampMs', '0'.repeat(17), 400],
    ['organizationId', undefined, 400],
    ['organizationId', 'nobody', 400],
    ['organizationId', organizationId.toUpperCase(), 400],
    ['organizationId', '99999999-9999-4999-8999-999999999999', 404],
    ['parameters', undefined, 400],
    ['parameters', null, 400],
    ['parameters', [], 400],
    ['parameters', 'x', 400],
    ['parameters', {}, 400],
    ['parameters', { privateKeys: [] }, 400],
    ['parameters', { privateKeys: {} }, 400],
    ['parameters', { privateKeys: Array.from({ length: 101 }, () => keyNamed('many').privateKeys[0]) }, 400],
  ]
  for (const [member, value, status] of broken) {
    const answer = await send('/submit/create_private_keys', JSON.stringify({ ...good, [member]: value }))
    t.is(answer.status, status, `${member}: ${JSON.stringify(value)}`)
  }
  t.is(await keyCount('incomplete'), 0)
  t.is(await keyCount('many'), 0)
})

test('readiness names the engine that signs, as the start does', async (t) => {
  const answer = await fetch(`${baseUrl}/readyz`)
  t.is(answer.status, 200)
  const ready = (await answer.json()) as { status: string; engine: string; fasterWith?: string }
  t.like(ready, { status: 'ok', store: 'ok', signer: 'ok', engine: engineName })
  t.true(service.output().includes(`engine: ${engineName}`))
  // Whoever runs the slow one for want of the fast one is told how to get that.
  const wanted = engineName === 'reference' && process.env['KEYSTEAD_SIGNER_ENGINE'] !== 'reference'
  t.is(ready.fasterWith?.includes('npm run build:engine') ?? false, wanted)
})

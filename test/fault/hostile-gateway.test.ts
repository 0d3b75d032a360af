/**
 * A gateway that was taken over: it has everything that a gateway has, all genuine, and speaks to the signer itself.
 * It may get no signature that the user has not stamped, and may not bring a host down (design.md section 2).
 */
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { encodeFrame, FrameReader, type Frame, type FrameKind } from '../../signer-core/protocol/frames.ts'
import type { Answer, NewKey, Notarized, Outcome, PerformCall, SealedKey } from '../../signer-core/protocol/messages.ts'
import type { RefusalCode } from '../../signer-core/protocol/refusals.ts'
import { stampOf } from '../support/client.ts'
import { foundingCall } from '../support/founding.ts'
import { startLauncher } from '../support/launcher.ts'

const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1' } })
test.after.always(async () => {
  await launcher.stop()
  rmSync(launcher.dataDir, { recursive: true, force: true })
})

interface ApiKey {
  apiPublicKey: string
  apiPrivateKey: string
}

function newApiKey(): ApiKey {
  const pair = createECDH('prime256v1')
  const apiPublicKey = pair.generateKeys('hex', 'compressed')
  return { apiPublicKey, apiPrivateKey: pair.getPrivateKey('hex').padStart(64, '0') }
}

interface Organization {
  id: string
  record: Notarized
  apiKey: ApiKey
}

/** What the signer said to these exact bytes; undefined when the launcher hung up instead. */
async function sendBytes(payload: Uint8Array, kind: FrameKind = 'activity'): Promise<Frame | undefined> {
  const socket = connect(join(launcher.dataDir, 'signer.sock'))
  const reader = new FrameReader()
  const answered = new Promise<Frame | undefined>((resolve) => {
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(undefined))
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) resolve(frame)
    })
  })
  await once(socket, 'connect')
  socket.write(encodeFrame({ callId: 7, kind, payload }))
  const answer = await answered
  socket.destroy()
  return answer
}

async function send(call: unknown): Promise<Answer<Outcome>> {
  const frame = await sendBytes(Buffer.from(JSON.stringify(call)))
  if (frame?.kind !== 'answer') throw new Error(`no answer but ${frame?.kind ?? 'the end'}: a host was lost`)
  return JSON.parse(Buffer.from(frame.payload).toString()) as Answer<Outcome>
}

async function expectOutcome(call: PerformCall): Promise<Outcome> {
  const answer = await send(call)
  if (!answer.ok) throw new Error(`refused: ${answer.refusal.code}`)
  return answer.value
}

async function newOrganization(): Promise<Organization> {
  const apiKey = newApiKey()
  const operator = await launcher.connect('operator')
  const { value } = await operator.call(foundingCall(apiKey.apiPublicKey), 'operator')
  operator.close()
  const record = (value as Answer<Notarized> & { ok: true }).value
  return { id: (JSON.parse(record.text) as { organizationId: string }).organizationId, record, apiKey }
}

function bodyOf({ id }: Organization, type: string, parameters: object): string {
  return JSON.stringify({ type, timestampMs: '1763693520123', organizationId: id, parameters })
}

/** As an honest gateway sends it. */
function callOf(
  organization: Organization,
  body: string | Uint8Array,
  keys: SealedKey[],
  stampedBy = organization.apiKey,
): PerformCall {
  const stamp = JSON.parse(Buffer.from(stampOf(stampedBy, body), 'base64url').toString()) as PerformCall['stamp']
  return {
    activityId: randomUUID(),
    body: Buffer.from(body).toString('base64'),
    stamp,
    organization: organization.record,
    keys,
  }
}

const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'

async function newKeys(organization: Organization, curves: string[]): Promise<NewKey[]> {
  const formats = { CURVE_SECP256K1: 'ADDRESS_FORMAT_ETHEREUM', CURVE_P256: 'ADDRESS_FORMAT_COMPRESSED' } as Record<
    string,
    string
  >
  const privateKeys = curves.map((curve) => ({
    privateKeyName: 'a',
    curve,
    privateKeyTags: [],
    addressFormats: [formats[curve] ?? 'ADDRESS_FORMAT_SOLANA'],
  }))
  return (await expectOutcome(callOf(organization, bodyOf(organization, CREATE, { privateKeys }), []))).newKeys
}

function signBody(organization: Organization, signWith: string, payload = 'pay Alice 1'): string {
  const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8'
  return bodyOf(organization, SIGN, { signWith, payload, encoding, hashFunction: 'HASH_FUNCTION_SHA256' })
}

let own: Organization
let foreign: Organization
let key: SealedKey
let address: string
let sibling: SealedKey
let otherCurve: SealedKey
let edwards: SealedKey
let foreignKey: SealedKey
/** The one request that the user has stamped, and what it was for. */
let genuine: PerformCall
let genuineOutcome: Outcome
let hostPids: number[]

test.before(async () => {
  own = await newOrganization()
  foreign = await newOrganization()
  const made = await newKeys(own, ['CURVE_SECP256K1', 'CURVE_SECP256K1', 'CURVE_P256', 'CURVE_ED25519'])
  ;[key, sibling, otherCurve, edwards] = made.map((each) => each.key) as [SealedKey, SealedKey, SealedKey, SealedKey]
  address = (JSON.parse(made[0]?.facts ?? '') as { addresses: { address: string }[] }).addresses[0]?.address ?? ''
  foreignKey = (await newKeys(foreign, ['CURVE_SECP256K1']))[0]?.key as SealedKey
  genuine = callOf(own, signBody(own, key.keyId), [key])
  genuineOutcome = await expectOutcome(genuine)
  hostPids = launcher.hostPids()
})

let forgeries = 0
let signatures = 0

/** Sends a forgery and counts what it brought. */
async function assertRefused(t: ExecutionContext, name: string, call: unknown, code: RefusalCode): Promise<void> {
  forgeries++
  const answer = await send(call)
  if (answer.ok) signatures++
  t.false('value' in answer, name)
  const receipt = answer.ok ? undefined : answer.refusal.receipt
  if (receipt !== undefined) t.is((JSON.parse(receipt.text) as { outcome: string }).outcome, code, name)
  t.is(answer.ok ? undefined : answer.refusal.code, code, name)
}

function flipped(text: string, at: number, encoding: 'base64' | 'hex'): string {
  const bytes = Buffer.from(text, encoding)
  bytes[at] = (bytes[at] as number) ^ 1
  return bytes.toString(encoding)
}

test('the genuine request signs, again and with its own evaluation', async (t) => {
  t.is(hostPids.length, 1)
  const { result } = genuineOutcome
  t.regex(result, /signRawPayloadResult/)
  t.is((await expectOutcome(genuine)).result, result)
  t.is((await expectOutcome({ ...genuine, evaluation: genuineOutcome.evaluation })).result, result)
  // The signature is RFC 6979: an equal result means the same key and the same message.
  const byAddress = callOf(own, signBody(own, address), [foreignKey, otherCurve, key])
  t.is((await expectOutcome(byAddress)).result, result)
})

test('another body than the stamped one', async (t) => {
  const bytes = Buffer.from(genuine.body, 'base64').length
  for (let at = 0; at < bytes; at += 16) {
    await assertRefused(t, `byte ${at}`, { ...genuine, body: flipped(genuine.body, at, 'base64') }, 'STAMP_INVALID')
  }
  const other = (text: string) => ({ ...genuine, body: Buffer.from(text).toString('base64') })
  const body = Buffer.from(genuine.body, 'base64').toString()
  await assertRefused(t, 'another payload', other(signBody(own, key.keyId, 'pay Mallory')), 'STAMP_INVALID')
  await assertRefused(t, 'another key', other(signBody(own, sibling.keyId)), 'STAMP_INVALID')
  await assertRefused(t, 'a space more', other(`${body} `), 'STAMP_INVALID')
  await assertRefused(
    t,
    'the same JSON in other bytes',
    other(JSON.stringify(JSON.parse(body), null, 1)),
    'STAMP_INVALID',
  )
  await assertRefused(t, 'nothing', other(''), 'BODY_INVALID')
})

test('another stamp than the user’s', async (t) => {
  const body = Buffer.from(genuine.body, 'base64').toString()
  const mallory = newApiKey()
  const byMallory = callOf(own, body, [key], mallory)
  await assertRefused(t, 'by an unknown key', byMallory, 'API_KEY_UNKNOWN')
  await assertRefused(
    t,
    'by a user of another organization',
    callOf(own, body, [key], foreign.apiKey),
    'API_KEY_UNKNOWN',
  )
  const { stamp } = genuine
  const lent = { ...byMallory.stamp, publicKey: stamp.publicKey }
  await assertRefused(t, 'by an unknown key under the user’s name', { ...genuine, stamp: lent }, 'STAMP_INVALID')
  const replayed = callOf(own, signBody(own, key.keyId, 'another day'), [key]).stamp
  await assertRefused(t, 'of another genuine body', { ...genuine, stamp: replayed }, 'STAMP_INVALID')
  const otherParity = stamp.publicKey.replace(/^0./, stamp.publicKey.startsWith('02') ? '03' : '02')
  const r = Buffer.from(stamp.signature, 'hex').length
  for (const [name, value] of Object.entries({
    'a signature with one bit more': { ...stamp, signature: flipped(stamp.signature, r - 1, 'hex') },
    'a public key of the other parity': { ...stamp, publicKey: otherParity },
    'a public key off the curve': { ...stamp, publicKey: `02${'f'.repeat(64)}` },
    'an unknown scheme': { ...stamp, scheme: 'SIGNATURE_SCHEME_TK_API_NONE' },
    'no scheme': { ...stamp, scheme: undefined },
    'no signature': { ...stamp, signature: undefined },
    'a long signature': { ...stamp, signature: '30'.repeat(100_000) },
    'a list': [stamp],
    null: null,
    text: 'trust me',
    nothing: undefined,
  })) {
    await assertRefused(t, name, { ...genuine, stamp: value }, 'STAMP_INVALID')
  }
})

test('another organization record', async (t) => {
  const { text, seal } = own.record
  const mallory = newApiKey()
  const record = JSON.parse(text) as { version: number; users: { apiKeys: { publicKey: string }[] }[] }
  const changed = (change: Partial<Notarized>) => ({ ...genuine, organization: { ...own.record, ...change } })
  const code = 'ORGANIZATION_RECORD_REFUSED'

  const withMallory = text.replace(own.apiKey.apiPublicKey, mallory.apiPublicKey)
  const byMallory = callOf(own, Buffer.from(genuine.body, 'base64'), [key], mallory)
  const takenOver = { ...byMallory, organization: { text: withMallory, seal } }
  await assertRefused(t, 'with another API key, stamped by it', takenOver, code)
  await assertRefused(t, 'with another name', changed({ text: text.replace('"Test"', '"Text"') }), code)
  await assertRefused(t, 'of a higher version', changed({ text: JSON.stringify({ ...record, version: 2 }) }), code)
  await assertRefused(t, 'of version 0', changed({ text: JSON.stringify({ ...record, version: 0 }) }), code)
  await assertRefused(t, 'with a space', changed({ text: `${text} ` }), code)
  await assertRefused(t, 'with another member', changed({ text: JSON.stringify({ ...record, more: 1 }) }), code)
  await assertRefused(t, 'with a lone surrogate', changed({ text: text.replace('Test', 'Te\ud800t') }), code)
  await assertRefused(t, 'of no JSON', changed({ text: 'root' }), code)
  await assertRefused(t, 'with the foreign seal', changed({ seal: foreign.record.seal }), code)
  await assertRefused(t, 'with the seal of an evaluation', changed({ seal: genuineOutcome.evaluation.seal }), code)
  await assertRefused(t, 'that is an evaluation', changed(genuineOutcome.evaluation), code)
  for (const at of [0, 15, 31])
    await assertRefused(t, `seal byte ${at}`, changed({ seal: flipped(seal, at, 'hex') }), code)
  await assertRefused(t, 'with a short seal', changed({ seal: seal.slice(0, -2) }), code)
  await assertRefused(t, 'with a long seal', changed({ seal: `${seal}00` }), code)
  await assertRefused(t, 'with an empty seal', changed({ seal: '' }), code)
  await assertRefused(t, 'with the seal in upper case', changed({ seal: seal.toUpperCase() }), 'BODY_INVALID')
  await assertRefused(t, 'the foreign one', { ...genuine, organization: foreign.record }, 'ORGANIZATION_MISMATCH')
  const misled = callOf(foreign, signBody(own, foreignKey.keyId), [foreignKey])
  await assertRefused(t, 'the foreign one, by its own user', misled, 'ORGANIZATION_MISMATCH')
})

test('another sealed key', async (t) => {
  const given = (change: Partial<SealedKey>, signWith = key.keyId) =>
    callOf(own, signBody(own, signWith), [{ ...key, ...change }])
  const code = 'SEALED_KEY_REFUSED'
  const { keyId } = key

  await assertRefused(t, 'the sibling under this id', given({ ...sibling, keyId }), code)
  await assertRefused(t, 'the sibling’s blob', given({ sealed: sibling.sealed }), code)
  await assertRefused(t, 'the sibling’s public key', given({ publicKey: sibling.publicKey }), code)
  await assertRefused(t, 'the foreign key under this id', given({ ...foreignKey, keyId }), code)
  await assertRefused(t, 'the foreign key under its own id', given(foreignKey, foreignKey.keyId), code)
  await assertRefused(t, 'the key of another curve under this id', given({ ...otherCurve, keyId }), code)
  await assertRefused(
    t,
    'the key of another curve as of this one',
    given({ ...otherCurve, keyId, curve: 'secp256k1' }),
    code,
  )
  await assertRefused(t, 'this key as of P-256', given({ curve: 'p256' }), code)
  await assertRefused(t, 'this blob under another id', given({ keyId: sibling.keyId }, sibling.keyId), code)
  const shouting = keyId.toUpperCase()
  await assertRefused(t, 'this blob under its id in upper case', given({ keyId: shouting }, shouting), code)

  const bytes = Buffer.from(key.sealed, 'base64').length
  const regions = {
    version: 0,
    'nonce, first': 1,
    'nonce, last': 12,
    'key, first': 13,
    'key, last': bytes - 17,
    'tag, first': bytes - 16,
    'tag, last': bytes - 1,
  }
  for (const [name, at] of Object.entries(regions)) {
    await assertRefused(t, `one bit of ${name}`, given({ sealed: flipped(key.sealed, at, 'base64') }), code)
  }
  const blob = Buffer.from(key.sealed, 'base64')
  for (const [name, sealed] of Object.entries({
    'cut by one byte': blob.subarray(0, -1),
    'longer by one byte': Buffer.concat([blob, Buffer.of(0)]),
    'twice in a row': Buffer.concat([blob, blob]),
    zeros: Buffer.alloc(bytes),
    random: randomBytes(bytes),
  })) {
    await assertRefused(t, `a blob that is ${name}`, given({ sealed: sealed.toString('base64') }), code)
  }

  const noKey = 'KEY_NOT_FOUND'
  await assertRefused(t, 'none', callOf(own, signBody(own, keyId), []), noKey)
  await assertRefused(t, 'only others', callOf(own, signBody(own, keyId), [sibling, otherCurve, foreignKey]), noKey)
  const byAddress = callOf(own, signBody(own, address), [sibling])
  await assertRefused(t, 'one that has not the address', byAddress, noKey)
  // The sibling pretends to have the address: what it would sign with is bound to its own public key.
  const pretending = callOf(own, signBody(own, address), [{ ...sibling, publicKey: key.publicKey }])
  await assertRefused(t, 'one that pretends to have the address', pretending, code)
})

test('public keys that are none', async (t) => {
  const { publicKey } = key
  const offCurve = flipped(publicKey, 64, 'hex')
  const bad = {
    empty: '',
    'one byte': '04',
    'x only': publicKey.slice(2, 66),
    'cut by one byte': publicKey.slice(0, -2),
    'longer by one byte': `${publicKey}00`,
    compressed: `02${publicKey.slice(2, 66)}`,
    infinity: '00',
    zeros: '00'.repeat(65),
    'off the curve': offCurve,
    '512 bytes': '04'.repeat(512),
  }
  for (const [name, value] of Object.entries(bad)) {
    for (const curve of ['secp256k1', 'p256', 'ed25519'] as const) {
      const odd = { ...key, publicKey: value, curve }
      // ed25519 takes no hash: what is refused then is the hash, before the key is looked at.
      const byId = curve === 'ed25519' ? 'PARAMETERS_INVALID' : 'SEALED_KEY_REFUSED'
      await assertRefused(t, `${curve}, ${name}, by id`, callOf(own, signBody(own, key.keyId), [odd]), byId)
      const byAddress = callOf(own, signBody(own, address), [odd])
      await assertRefused(t, `${curve}, ${name}, by address`, byAddress, 'KEY_NOT_FOUND')
    }
  }
  const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8'
  const parameters = { signWith: edwards.keyId, payload: 'x', encoding, hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }
  const body = bodyOf(own, SIGN, parameters)
  t.regex((await expectOutcome(callOf(own, body, [edwards]))).result, /signRawPayloadResult/)
  for (const value of ['', '00', edwards.publicKey.slice(2), `${edwards.publicKey}00`, 'ff'.repeat(32), publicKey]) {
    const odd = callOf(own, body, [{ ...edwards, publicKey: value }])
    await assertRefused(t, `ed25519, ${value.length / 2} bytes`, odd, 'SEALED_KEY_REFUSED')
  }
})

test('an evaluation of something else', async (t) => {
  const code = 'SIGNER_REQUEST_MISMATCH'
  const { evaluation } = genuineOutcome
  const withEvaluation = (each: Notarized, call = genuine) => ({ ...call, evaluation: each })

  const otherBody = callOf(own, signBody(own, key.keyId, 'pay Bob 2'), [key])
  await assertRefused(t, 'of an earlier activity', withEvaluation(evaluation, otherBody), code)
  const sameId = { ...otherBody, activityId: genuine.activityId }
  await assertRefused(t, 'of another body of this activity', withEvaluation(evaluation, sameId), code)
  const newId = { ...genuine, activityId: randomUUID() }
  await assertRefused(t, 'of another activity with this body', withEvaluation(evaluation, newId), code)
  const swapped = callOf(own, signBody(own, address), [key])
  const swappedOutcome = await expectOutcome(swapped)
  await assertRefused(t, 'of the same key by another name', withEvaluation(swappedOutcome.evaluation), code)
  const abroad = await expectOutcome(callOf(foreign, signBody(foreign, foreignKey.keyId), [foreignKey]))
  await assertRefused(t, 'of another organization', withEvaluation(abroad.evaluation), code)
  await assertRefused(t, 'that is the organization record', withEvaluation(own.record), code)
  await assertRefused(t, 'with the seal of the record', withEvaluation({ ...evaluation, seal: own.record.seal }), code)
  const facts = JSON.parse(evaluation.text) as Record<string, unknown>
  for (const [name, value] of Object.entries({
    activityId: otherBody.activityId,
    bodyDigest: '0'.repeat(64),
    organizationVersion: 2,
    policyEvaluations: [{ policyId: 'x', outcome: 'OUTCOME_ALLOW' }],
  })) {
    const text = JSON.stringify({ ...facts, [name]: value })
    await assertRefused(t, `with another ${name}`, withEvaluation({ ...evaluation, text }), code)
  }
  await assertRefused(t, 'with a space', withEvaluation({ ...evaluation, text: `${evaluation.text} ` }), code)
  await assertRefused(
    t,
    'with a lone surrogate',
    withEvaluation({ ...evaluation, text: `${evaluation.text}\udc00` }),
    code,
  )
  await assertRefused(t, 'without a seal', withEvaluation({ ...evaluation, seal: '' }), code)
  for (const at of [0, 31]) {
    const forged = { ...evaluation, seal: flipped(evaluation.seal, at, 'hex') }
    await assertRefused(t, `with a seal of another byte ${at}`, withEvaluation(forged), code)
  }
  await assertRefused(t, 'of no text', withEvaluation({ ...evaluation, text: '' }), 'BODY_INVALID')
  // An evaluation made for one sealed key serves no other.
  const lent = { ...genuine, keys: [{ ...sibling, keyId: key.keyId }], evaluation }
  await assertRefused(t, 'for another key under this id', lent, code)
})

test('calls that are none', async (t) => {
  const code = 'BODY_INVALID'
  for (const member of ['activityId', 'body', 'organization', 'keys']) {
    for (const [name, value] of Object.entries({
      no: undefined,
      null: null,
      numeric: 7,
      boolean: true,
      nested: { a: [] },
    })) {
      await assertRefused(t, `${name} ${member}`, { ...genuine, [member]: value }, code)
    }
  }
  for (const activityId of [
    '',
    'x',
    genuine.activityId.toUpperCase(),
    `${genuine.activityId}0`,
    `${genuine.activityId}\n`,
  ]) {
    await assertRefused(t, `activity id ${activityId}`, { ...genuine, activityId }, code)
  }
  await assertRefused(t, '101 keys', { ...genuine, keys: Array.from({ length: 101 }, () => key) }, code)
  await assertRefused(t, 'a key that is none', { ...genuine, keys: [key.keyId] }, code)
  const odd: Record<string, object> = {
    'no key id': { keyId: undefined },
    'a long key id': { keyId: 'x'.repeat(257) },
    'an unknown curve': { curve: 'P256' },
    'a public key of letters': { publicKey: 'xyz' },
    'a public key in upper case': { publicKey: key.publicKey.toUpperCase() },
    'a public key of 513 bytes': { publicKey: '00'.repeat(513) },
    'an empty blob': { sealed: '' },
    'a blob of 513 bytes': { sealed: Buffer.alloc(513).toString('base64') },
    'a blob in base64url': { sealed: '-_-_' },
    'a blob with a line break': { sealed: `${key.sealed}\n` },
  }
  for (const [name, change] of Object.entries(odd)) {
    await assertRefused(t, name, { ...genuine, keys: [{ ...key, ...change }] }, code)
  }
  for (const [name, body] of Object.entries({
    base64url: genuine.body.replaceAll('=', '').concat('-_'),
    'base64 without padding': Buffer.from('{"a":12}').toString('base64').replace(/=+$/, ''),
    'a list': [genuine.body],
    'a body of 262,145 bytes': Buffer.alloc(262_145, 0x20).toString('base64'),
  })) {
    await assertRefused(t, `a body in ${name}`, { ...genuine, body }, code)
  }
  const { text, seal } = own.record
  await assertRefused(t, 'a record of 2 MiB', { ...genuine, organization: { text: 'x'.repeat(2_097_152), seal } }, code)
  await assertRefused(t, 'a record without its seal', { ...genuine, organization: { text } }, code)
  await assertRefused(
    t,
    'an evaluation of 2 MiB',
    { ...genuine, evaluation: { text: 'x'.repeat(2_097_152), seal } },
    code,
  )
  await assertRefused(t, 'an operator’s call on this socket', foundingCall(), code)
  for (const value of [null, [], [genuine], 'x', 1, {}]) await assertRefused(t, JSON.stringify(value), value, code)
})

test('bodies that the user has stamped and the gate must not read', async (t) => {
  const body = Buffer.from(genuine.body, 'base64').toString()
  const stamped = (each: string | Uint8Array) => callOf(own, each, [key])
  const bad: Record<string, string | Uint8Array> = {
    empty: '',
    'not UTF-8': Buffer.concat([
      Buffer.from(body.slice(0, -1)),
      Buffer.from(',"x":"'),
      Buffer.of(0xff),
      Buffer.from('"}'),
    ]),
    'not JSON': 'sign everything',
    'a list': '[]',
    'with a byte order mark': `\ufeff${body}`,
    'with a duplicate member': body.replace('{', `{"organizationId":"${own.id}",`),
    'with a duplicate member by escape': body.replace('{', `{"\\u006frganizationId":"${own.id}",`),
    'with a number beyond 2^53': body.replace('{', '{"x":9007199254740993,'),
    'with 33 levels': body.replace('{', `{"x":${'['.repeat(32)}${']'.repeat(32)},`),
    'without a type': body.replace('"type"', '"typo"'),
    'without parameters': JSON.stringify({ ...JSON.parse(body), parameters: undefined }),
    'with a timestamp that is a number': JSON.stringify({ ...JSON.parse(body), timestampMs: 1 }),
    'of 262,144 spaces': ' '.repeat(262_144),
  }
  for (const [name, each] of Object.entries(bad)) await assertRefused(t, name, stamped(each), 'BODY_INVALID')
  const asType = (type: string) => stamped(JSON.stringify({ ...JSON.parse(body), type }))
  await assertRefused(t, 'of an unknown type', asType('ACTIVITY_TYPE_SIGN_ANYTHING'), 'ACTIVITY_TYPE_UNKNOWN')
  await assertRefused(t, 'of a type it does not fit', asType(CREATE), 'PARAMETERS_INVALID')
  const many = Array.from({ length: 101 }, () => ({
    privateKeyName: 'a',
    curve: 'CURVE_P256',
    privateKeyTags: [],
    addressFormats: [],
  }))
  await assertRefused(t, 'of 101 keys', stamped(bodyOf(own, CREATE, { privateKeys: many })), 'PARAMETERS_INVALID')
})

test('frames that hold no call', async (t) => {
  const payload = Buffer.from(JSON.stringify(genuine))
  for (const bytes of [
    Buffer.of(),
    Buffer.from('{'),
    Buffer.of(0xff, 0xfe),
    Buffer.from('\ufeff{}'),
    randomBytes(1_000),
  ]) {
    forgeries++
    const frame = await sendBytes(bytes)
    t.is(frame?.kind, 'answer')
    t.regex(Buffer.from(frame?.payload ?? []).toString(), /^\{"ok":false,"refusal":\{"code":"BODY_INVALID"/)
  }
  for (const kind of ['operator', 'rest', 'ready', 'answer', 'transient'] as const) {
    forgeries++
    t.is(await sendBytes(payload, kind), undefined, `${kind} is not for the gateway's socket`)
  }
})

test.after('not one signature came of all that, and the host is the same process', async (t) => {
  t.log(`${forgeries} forgeries, ${signatures} signatures`)
  t.true(forgeries >= 200)
  t.is(signatures, 0)
  t.deepEqual(launcher.hostPids(), hostPids)
  t.is((await expectOutcome(genuine)).result, genuineOutcome.result)
})

/**
 * Nothing malformed gets through: bodies, stamps and routes as an attacker would send them. Every refusal has the
 * documented status and JSON (reference/signing-api.md section 5) and repeats nothing of what was sent.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { isStampValid } from '../../gateway/stamp-check.ts'
import { isStampOf } from '../../signer-core/host/stamp-check.ts'
import { isStrictDer, readStamp } from '../../signer-core/protocol/stamp.ts'
import { Client, postBytes, stampOf } from '../support/client.ts'
import { until } from '../support/processes.ts'
import { startService } from '../support/service.ts'

const service = await startService()
test.after.always(() => service.dispose())

const { baseUrl, organizationId } = service.dev
const client = new Client(baseUrl, service.dev)
const WHOAMI = '/public/v1/query/whoami'
const CREATE = '/public/v1/submit/create_private_keys'
const PARALLEL = 16

/** In every input of this file, wherever it can stand. No answer and no log line may show it. */
const CANARY = `kanarie${randomBytes(8).toString('hex')}`

interface Answer {
  status: number
  contentType: string | undefined
  text: string
}

/** Status, gRPC code and name of each error that this file provokes, from the table of section 5. */
const errors = {
  BODY: [400, 3, 'REQUEST_INVALID'],
  REQUEST: [400, 3, 'REQUEST_INVALID'],
  ORGANIZATION_ID: [400, 3, 'INVALID_ORGANIZATION_ID'],
  ORGANIZATION_UNKNOWN: [404, 5, 'ORGANIZATION_NOT_FOUND'],
  STAMP_MISSING: [401, 16, 'SIGNATURE_MISSING'],
  STAMP: [401, 16, 'SIGNATURE_INVALID'],
  KEY_UNKNOWN: [401, 16, 'PUBLIC_KEY_NOT_FOUND'],
  NOT_FOUND: [404, 5, 'RESOURCE_NOT_FOUND'],
  METHOD: [405, 12, 'METHOD_NOT_ALLOWED'],
  TOO_LARGE: [413, 3, 'REQUEST_INVALID'],
  ENCODING: [415, 3, 'REQUEST_INVALID'],
} as const satisfies Record<string, readonly [number, number, string]>
type ErrorName = keyof typeof errors

function assertError(t: ExecutionContext, answer: Answer, name: ErrorName, label: string): void {
  const [status, code, turnkeyErrorCode] = errors[name]
  t.is(answer.status, status, `${label}: ${answer.text}`)
  t.is(answer.contentType, 'application/json', label)
  t.false(answer.text.toLowerCase().includes(CANARY), `${label} repeats its input`)
  const body = JSON.parse(answer.text) as { message: unknown; details: object[] }
  t.deepEqual(body, { code, message: body.message, details: body.details, turnkeyErrorCode } as typeof body, label)
  t.is(typeof body.message, 'string', label)
  const [first, ...more] = body.details
  t.deepEqual(first, { '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode }, label)
  t.true(more.length <= 1, label)
}

async function post(path: string, body: string | Uint8Array, headers: Record<string, string>): Promise<Answer> {
  const { status, headers: said, text } = await postBytes(baseUrl, path, body, headers)
  return { status, contentType: said.get('content-type') ?? undefined, text }
}

/** Rightly stamped, so that whatever is refused is refused for the body. */
function postStamped(path: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
  return post(path, body, { 'X-Stamp': stampOf(service.dev, body), ...headers })
}

async function forEachInParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
}

function readVectors(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../vectors/${name}`), 'utf8'))
}

// Stamps

interface StampVectors {
  body: string
  cases: { name: string; header: string; value: string; valid: boolean }[]
}
const stamps = readVectors('stamps.json') as StampVectors
const P256 = 'SIGNATURE_SCHEME_TK_API_P256'

test('stamps.json over HTTP: only valid stamps by API keys come past the signature check', async (t) => {
  const counts = { past: 0, unsupported: 0, invalid: 0 }
  for (const { name, header, value, valid } of stamps.cases) {
    const answer = await post('/public/v1/submit/sign_raw_payload', stamps.body, { [header]: value })
    if (!valid) {
      counts.invalid++
      assertError(t, answer, 'STAMP', name)
    } else if (header === 'X-Stamp') {
      counts.past++
      // The vectors' organization does not exist here, which is found out only after the signature was right.
      assertError(t, answer, 'ORGANIZATION_UNKNOWN', name)
    } else {
      counts.unsupported++
      assertError(t, answer, 'STAMP_MISSING', name)
    }
  }
  t.deepEqual(counts, { past: 7, unsupported: 1, invalid: 8 })
})

test('a body changed by one byte after stamping is refused at every place', async (t) => {
  const bytes = Buffer.from(JSON.stringify({ organizationId, note: CANARY }))
  const stamp = stampOf(service.dev, bytes)
  t.is((await post(WHOAMI, bytes, { 'X-Stamp': stamp })).status, 200)
  // Between the braces of the note's text, so that the body stays readable and names the same organization.
  const from = bytes.indexOf(CANARY)
  for (let at = from; at < from + CANARY.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    assertError(t, await post(WHOAMI, changed, { 'X-Stamp': stamp }), 'STAMP', `byte ${at}`)
  }
  assertError(t, await post(WHOAMI, `${bytes.toString()} `, { 'X-Stamp': stamp }), 'STAMP', 'a space more')
})

test('stamp headers that are none', async (t) => {
  const body = JSON.stringify({ organizationId, note: CANARY })
  const { publicKey, signature } = JSON.parse(Buffer.from(stampOf(service.dev, body), 'base64url').toString())
  const good = { publicKey, scheme: P256, signature }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  t.is((await post(WHOAMI, body, { 'X-Stamp': encode(good) })).status, 200)
  const bad: Record<string, string> = {
    'plain text': CANARY,
    'plain JSON': JSON.stringify(good),
    'standard base64 letters': `${encode(good).slice(0, -2)}+/`,
    'three signs of padding': `${encode(good)}===`,
    'a string': encode(CANARY),
    null: encode(null),
    'an array': encode([good]),
    'no public key': encode({ ...good, publicKey: undefined }),
    'public key of another type': encode({ ...good, publicKey: [publicKey] }),
    'public key in upper case': encode({ ...good, publicKey: publicKey.toUpperCase() }),
    'public key with 0x': encode({ ...good, publicKey: `0x${publicKey}` }),
    'public key of letters': encode({ ...good, publicKey: CANARY.padEnd(66, 'x') }),
    'scheme in lower case': encode({ ...good, scheme: P256.toLowerCase() }),
    'no scheme': encode({ ...good, scheme: undefined }),
    'scheme of another type': encode({ ...good, scheme: [P256] }),
    'no signature': encode({ ...good, signature: undefined }),
    'empty signature': encode({ ...good, signature: '' }),
    'odd digits': encode({ ...good, signature: signature.slice(1) }),
    'signature twice': encode({ ...good, signature: signature + signature }),
    'a duplicate member': Buffer.from(JSON.stringify(good).replace('{', `{"scheme":"${P256}",`)).toString('base64url'),
    'text behind the JSON': Buffer.from(`${JSON.stringify(good)}${CANARY}`).toString('base64url'),
    'too long': encode({ ...good, note: CANARY.repeat(100) }),
  }
  for (const [name, header] of Object.entries(bad)) {
    assertError(t, await post(WHOAMI, body, { 'X-Stamp': header }), 'STAMP', name)
  }
  assertError(t, await post(WHOAMI, body, {}), 'STAMP_MISSING', 'no header')
  assertError(t, await post(WHOAMI, body, { 'X-Stamp': '' }), 'STAMP_MISSING', 'empty header')
  assertError(
    t,
    await post(WHOAMI, body, { 'X-Stamp': stampOf(service.dev.operator, body) }),
    'KEY_UNKNOWN',
    'foreign key',
  )
})

// Wycheproof

interface Wycheproof {
  numberOfTests: number
  testGroups: {
    publicKeyCompressed: string
    tests: { tcId: number; comment: string; msg: string; sig: string; result: 'valid' | 'invalid' }[]
  }[]
  invalidPublicKeys: { tests: { tcId: number; comment: string; publicKey: string }[] }
}
const wycheproof = readVectors('wycheproof-ecdsa-p256-sha256.json') as Wycheproof
const wycheproofCases = wycheproof.testGroups.flatMap(({ publicKeyCompressed: publicKey, tests }) =>
  tests.map(({ tcId, comment, msg, sig, result }) => ({
    name: `${tcId} ${comment}`,
    message: Buffer.from(msg, 'hex'),
    valid: result === 'valid',
    stamp: { scheme: P256, publicKey, signature: sig },
  })),
)

/** The verdict of the gateway and that of the signer host, which must never differ. */
async function verdictOf(t: ExecutionContext, value: unknown, message: Uint8Array, name: string): Promise<boolean> {
  const stamp = readStamp(value)
  if (stamp === undefined) return false
  const verdict = await isStampValid(stamp, message)
  t.is(isStampOf(stamp, message), verdict, name)
  return verdict
}

test('Wycheproof: gateway and signer host agree with every result', async (t) => {
  const counts = { valid: 0, invalid: 0 }
  for (const { name, message, valid, stamp } of wycheproofCases) {
    t.is(await verdictOf(t, stamp, message, name), valid, name)
    counts[valid ? 'valid' : 'invalid']++
  }
  t.is(wycheproof.numberOfTests, 484)
  t.deepEqual(counts, { valid: 174, invalid: 310 })
})

test('Wycheproof: what is not strict DER of numbers in range is refused before any curve is asked', (t) => {
  const counts = { valid: 0, 'invalid form': 0, 'invalid signature': 0 }
  for (const { name, valid, stamp } of wycheproofCases) {
    const formed = isStrictDer(Buffer.from(stamp.signature, 'hex'))
    t.true(formed || !valid, name)
    if (valid) counts.valid++
    else counts[formed ? 'invalid signature' : 'invalid form']++
  }
  t.deepEqual(counts, { valid: 174, 'invalid form': 287, 'invalid signature': 23 })
})

test('Wycheproof: invalid public keys verify nothing', async (t) => {
  const [good] = wycheproofCases.filter((each) => each.valid)
  const { tests } = wycheproof.invalidPublicKeys
  t.is(tests.length, 24)
  for (const { tcId, comment, publicKey } of tests) {
    const name = `${tcId} ${comment}`
    t.false(await verdictOf(t, { ...good?.stamp, publicKey }, good?.message ?? Buffer.of(), name), name)
  }
  // That the keys of the right length are refused for their point and not for their form.
  const compressed = tests.filter((each) => /^0[23][0-9a-f]{64}$/.test(each.publicKey))
  t.is(compressed.length, 7)
  for (const { publicKey } of compressed) t.not(readStamp({ ...good?.stamp, publicKey }), undefined)
})

interface ApiStamps {
  apiStampP256: {
    body: string
    cases: { note: string; publicKey: string; signature: string; valid: boolean | null; body?: string }[]
  }
}

test('signatures.json: the 52 forms of a P-256 stamp', async (t) => {
  const { body, cases } = (readVectors('signatures.json') as ApiStamps).apiStampP256
  const counts = { accepted: 0, refused: 0 }
  for (const { note, publicKey, signature, valid, body: own = body } of cases) {
    const accepted = await verdictOf(t, { scheme: P256, publicKey, signature }, Buffer.from(own), note)
    // null: right, but not in the form that a stamp has.
    t.is(accepted, valid ?? false, note)
    counts[accepted ? 'accepted' : 'refused']++
  }
  t.deepEqual(counts, { accepted: 2, refused: 50 })
})

test('Wycheproof over HTTP: no case is answered with anything but the documented refusal', async (t) => {
  const encode = (stamp: object) => Buffer.from(JSON.stringify(stamp)).toString('base64url')
  const body = JSON.stringify({ organizationId, note: CANARY })
  const { tests } = wycheproof.invalidPublicKeys
  const badKeys = tests.map(({ tcId, publicKey }) => ({
    name: `key ${tcId}`,
    message: Buffer.of(),
    stamp: { scheme: P256, publicKey, signature: wycheproofCases[0]?.stamp.signature },
  }))
  await forEachInParallel([...wycheproofCases, ...badKeys], async ({ name, message, stamp }) => {
    // Their messages are no requests: the body is refused before anybody looks at the stamp.
    assertError(t, await post(WHOAMI, message, { 'X-Stamp': encode(stamp) }), 'BODY', name)
    // On a body of ours none of their signatures is right.
    assertError(t, await post(WHOAMI, body, { 'X-Stamp': encode(stamp) }), 'STAMP', name)
  })
})

// Bodies

const key = { privateKeyName: CANARY, curve: 'CURVE_ED25519', privateKeyTags: [], addressFormats: [] }

/** The same further members in a query and in a submit; all that is wrong is in them. */
function bodiesWith(members: string | Buffer): [path: string, body: Buffer][] {
  const submit = {
    organizationId,
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    timestampMs: '1763693520123',
    parameters: { privateKeys: [key] },
    canary: CANARY,
  }
  return [[WHOAMI, { organizationId, canary: CANARY }] as const, [CREATE, submit] as const].map(([path, body]) => {
    const [head, tail] = [JSON.stringify(body).slice(0, -1), '}']
    return [path, Buffer.concat([Buffer.from(`${head},`), Buffer.from(members), Buffer.from(tail)])]
  })
}

const arrays = (depth: number) => `"x":${'['.repeat(depth)}${']'.repeat(depth)}`
const objects = (depth: number) => `"x":${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`

const goodMembers: Record<string, string> = {
  'depth 32 in arrays': arrays(31),
  'depth 32 in objects': objects(31),
  '2^53 - 1': '"x":9007199254740991',
  '-(2^53 - 1)': '"x":-9007199254740991',
  'other numbers': '"x":[0,0.5,1e3,1E+2,1e-2,123.25]',
  'one name in two objects': '"x":{"a":1},"y":{"a":1}',
  'names that differ in case': '"a":1,"A":1',
  'names that look alike': '"é":1,"e\\u0301":1',
  ['__proto__']: '"__proto__":{"type":"x"},"constructor":1,"toString":2',
  'a surrogate pair, escaped': '"x":"\\ud83d\\ude00"',
  'a surrogate pair, raw': '"x":"😀"',
  'all escapes': '"x":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000"',
  'white space': ' \t\r\n"x" : [ 1 , 2 ] ',
}

const badMembers: Record<string, string | Buffer> = {
  'depth 33 in arrays': arrays(32),
  'depth 33 in objects': objects(32),
  'depth 10,000': arrays(10_000),
  '2^53': '"x":9007199254740992',
  '2^53 + 1': '"x":9007199254740993',
  '-2^53': '"x":-9007199254740992',
  '1e16': '"x":1e16',
  '1e400': '"x":1e400',
  '-1e400': '"x":-1e400',
  'leading zero': '"x":0123',
  'leading plus': '"x":+1',
  'leading point': '"x":.5',
  'trailing point': '"x":1.',
  'no exponent': '"x":1e',
  hexadecimal: '"x":0x10',
  NaN: '"x":NaN',
  Infinity: '"x":-Infinity',
  'duplicate member': '"a":1,"a":1',
  'duplicate member by escape': '"a":1,"\\u0061":1',
  'duplicate member by upper-case escape': '"k":1,"\\u006B":1',
  'duplicate organizationId': `"organizationId":"${organizationId}"`,
  'duplicate organizationId by escape': `"\\u006frganizationId":"${organizationId}"`,
  'nested duplicate': '"x":{"b":1,"b":1}',
  'nested duplicate by escape': '"x":[{"b":1,"\\u0062":1}]',
  'duplicate __proto__': '"__proto__":1,"__proto__":1',
  'duplicate empty name': '"":1,"":1',
  'lone high surrogate': '"x":"\\ud800"',
  'lone low surrogate': '"x":"\\udc00"',
  'surrogates the wrong way round': '"x":"\\udc00\\ud800"',
  'two high surrogates': '"x":"\\ud800\\ud800"',
  'lone surrogate in a name': '"\\ud800":1',
  'raw byte ff': Buffer.from([...Buffer.from('"x":"'), 0xff, 0x22]),
  'raw overlong zero': Buffer.from([...Buffer.from('"x":"'), 0xc0, 0x80, 0x22]),
  'raw surrogate': Buffer.from([...Buffer.from('"x":"'), 0xed, 0xa0, 0x80, 0x22]),
  'raw beyond Unicode': Buffer.from([...Buffer.from('"x":"'), 0xf4, 0x90, 0x80, 0x80, 0x22]),
  'raw cut sequence': Buffer.from([...Buffer.from('"x":"'), 0xe2, 0x82, 0x22]),
  'raw continuation alone': Buffer.from([...Buffer.from('"x":"'), 0x80, 0x22]),
  'raw NUL in a string': '"x":"\u0000"',
  'raw newline in a string': '"x":"\n"',
  'unknown escape': '"x":"\\x41"',
  'short escape': '"x":"\\u12"',
  'string not closed': '"x":"',
  'single quotes': "'x':1",
  'bare name': 'x:1',
  'number as a name': '1:1',
  'trailing comma': '"x":1,',
  'comma only': ',',
  comment: '"x":1/* */',
  'no value': '"x":',
  undefined: '"x":undefined',
  True: '"x":True',
  'form feed as white space': '"x":\f1',
  'no-break space as white space': '"x":\u00a01',
}

for (const [name, members] of Object.entries(goodMembers)) {
  test(`body with ${name}: taken`, async (t) => {
    for (const [path, body] of bodiesWith(members)) {
      const { status, text } = await postStamped(path, body)
      t.is(status, 200, `${path}: ${text}`)
    }
  })
}

test('bodies that are not strict JSON are refused, and nothing comes of them', async (t) => {
  const submitted: Buffer[] = []
  for (const [name, members] of Object.entries(badMembers)) {
    for (const [path, body] of bodiesWith(members)) {
      assertError(t, await postStamped(path, body), 'BODY', `${path}: ${name}`)
      if (path === CREATE) submitted.push(body)
    }
  }
  t.is(submitted.length, Object.keys(badMembers).length)
})

test('-0 is refused, as it and 0 are two bodies of one RFC 8785 form', async (t) => {
  for (const [path, body] of bodiesWith('"x":-0')) assertError(t, await postStamped(path, body), 'BODY', path)
})

test('bodies that are not one JSON object', async (t) => {
  const good = JSON.stringify({ organizationId, canary: CANARY })
  t.is((await postStamped(WHOAMI, ` \r\n\t${good}\n`)).status, 200)
  const bad: Record<string, string | Buffer> = {
    empty: '',
    'white space': ' ',
    null: 'null',
    'a string': JSON.stringify(CANARY),
    'a number': '1',
    'an array': `[${good}]`,
    'cut off': good.slice(0, -1),
    'a brace more': `${good}}`,
    'two values': `${good}${good}`,
    'trailing text': `${good}x`,
    'trailing NUL': `${good}\0`,
    'byte order mark': `\ufeff${good}`,
    'UTF-16': Buffer.from(good, 'utf16le'),
    'a form': `organizationId=${organizationId}&canary=${CANARY}`,
    binary: randomBytes(1_000),
  }
  for (const [name, body] of Object.entries(bad)) assertError(t, await postStamped(WHOAMI, body), 'BODY', name)
})

const BODY_BYTES_MAX = 262_144

/** A valid query of exactly this many bytes. */
function queryOf(bytes: number): string {
  const head = `{"organizationId":"${organizationId}","canary":"${CANARY}","filler":"`
  return `${head}${'x'.repeat(bytes - head.length - 2)}"}`
}

/** Without a length, in two parts. */
function postChunked(path: string, body: string): Promise<Answer> {
  const headers = { 'X-Stamp': stampOf(service.dev, body), 'Transfer-Encoding': 'chunked' }
  return new Promise((resolve, reject) => {
    const sending = request(baseUrl + path, { method: 'POST', headers }, (said) => {
      let text = ''
      said.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      said.once('end', () => resolve({ status: said.statusCode ?? 0, contentType: said.headers['content-type'], text }))
    })
    sending.once('error', reject)
    sending.write(body.slice(0, 1_000))
    sending.end(body.slice(1_000))
  })
}

test('a body may have 262,144 bytes and not one more', async (t) => {
  for (const send of [postStamped, postChunked]) {
    t.is((await send(WHOAMI, queryOf(BODY_BYTES_MAX))).status, 200, send.name)
    assertError(t, await send(WHOAMI, queryOf(BODY_BYTES_MAX + 1)), 'TOO_LARGE', send.name)
    assertError(t, await send(WHOAMI, queryOf(1_000_000)), 'TOO_LARGE', send.name)
  }
  // A route that is not there costs no reading.
  assertError(t, await postStamped('/public/v1/query/nothing', queryOf(BODY_BYTES_MAX + 1)), 'NOT_FOUND', 'no route')
})

test('the longest body can be signed', async (t) => {
  const { privateKeyId } = await client.createKey('CURVE_ED25519')
  const parameters = {
    signWith: privateKeyId,
    payload: '',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  }
  const bodyOf = (payload: string) =>
    JSON.stringify({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      timestampMs: '1',
      organizationId,
      parameters: { ...parameters, payload },
    })
  const body = bodyOf('x'.repeat(BODY_BYTES_MAX - bodyOf('').length))
  t.is(Buffer.byteLength(body), BODY_BYTES_MAX)
  // Takes the signer seconds, so a busy machine may answer PENDING at first.
  await until('a signature', async () => {
    const { status, text } = await postStamped('/public/v1/submit/sign_raw_payload', body)
    t.is(status, 200)
    return text.includes('"status":"ACTIVITY_STATUS_COMPLETED"')
  })
})

test('content encodings are refused', async (t) => {
  const body = JSON.stringify({ organizationId, canary: CANARY })
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity', CANARY]) {
    assertError(t, await postStamped(WHOAMI, body, { 'Content-Encoding': encoding }), 'ENCODING', encoding)
  }
})

// Parameters

const signing = {
  signWith: CANARY,
  payload: '00',
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hashFunction: 'HASH_FUNCTION_SHA256',
}

const badParameters: [path: string, type: string, parameters: object, error: ErrorName][] = [
  ['create_private_keys', 'CREATE_PRIVATE_KEYS_V2', { privateKeys: [{ ...key, curve: CANARY }] }, 'REQUEST'],
  ['create_private_keys', 'CREATE_PRIVATE_KEYS_V2', { privateKeys: [{ ...key, privateKeyTags: [CANARY] }] }, 'REQUEST'],
  ['create_private_keys', 'CREATE_PRIVATE_KEYS_V2', { privateKeys: [{ ...key, addressFormats: [CANARY] }] }, 'REQUEST'],
  [
    'create_private_keys',
    'CREATE_PRIVATE_KEYS_V2',
    { privateKeys: [{ ...key, addressFormats: ['ADDRESS_FORMAT_ETHEREUM'] }] },
    'REQUEST',
  ],
  ['create_private_keys', 'CREATE_PRIVATE_KEYS_V2', { privateKeys: [{ ...key, privateKeyName: '' }] }, 'REQUEST'],
  [
    'create_private_keys',
    'CREATE_PRIVATE_KEYS_V2',
    { privateKeys: [{ ...key, privateKeyName: CANARY.repeat(20) }] },
    'REQUEST',
  ],
  ['create_private_keys', 'CREATE_PRIVATE_KEYS_V2', { privateKeys: CANARY }, 'REQUEST'],
  ['create_private_keys', 'CREATE_PRIVATE_KEYS_V2', { [CANARY]: [key] }, 'REQUEST'],
  ['create_private_keys', CANARY.toUpperCase(), { privateKeys: [key] }, 'REQUEST'],
  ['create_private_keys', CANARY, { privateKeys: [key] }, 'REQUEST'],
  ['sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', signing, 'NOT_FOUND'],
  ['sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', { ...signing, signWith: CANARY.repeat(20) }, 'REQUEST'],
  ['sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', { ...signing, signWith: { id: CANARY } }, 'REQUEST'],
  ['sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', { ...signing, encoding: CANARY }, 'REQUEST'],
  ['sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', { ...signing, hashFunction: CANARY }, 'REQUEST'],
  ['sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', { ...signing, payload: [CANARY] }, 'REQUEST'],
  ['sign_raw_payload', 'SIGN_RAW_PAYLOAD', { ...signing, privateKeyId: CANARY }, 'NOT_FOUND'],
]

test('parameters that are none of the documented ones', async (t) => {
  for (const [path, type, parameters, error] of badParameters) {
    const body = { type: `ACTIVITY_TYPE_${type}`, timestampMs: String(Date.now()), organizationId, parameters }
    const answer = await postStamped(`/public/v1/submit/${path}`, JSON.stringify(body))
    assertError(t, answer, error, JSON.stringify(parameters))
  }
  const { privateKeyId } = await client.createKey('CURVE_SECP256K1')
  for (const payload of [CANARY, `0x${CANARY}`, '0x0', '00 00', '0xg0', '٠٠']) {
    const parameters = { ...signing, signWith: privateKeyId, payload }
    const body = { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', timestampMs: '1', organizationId, parameters }
    assertError(t, await postStamped('/public/v1/submit/sign_raw_payload', JSON.stringify(body)), 'REQUEST', payload)
  }
  for (const id of [CANARY, '', { canary: CANARY }, organizationId.toUpperCase(), 'x'.repeat(100_000), undefined]) {
    const body = JSON.stringify({ organizationId: id, canary: CANARY })
    assertError(t, await postStamped(WHOAMI, body), 'ORGANIZATION_ID', JSON.stringify(id)?.slice(0, 40) ?? 'none')
  }
  for (const [query, member] of [
    ['get_activity', 'activityId'],
    ['get_private_key', 'privateKeyId'],
  ] as const) {
    const askFor = (value: unknown) =>
      postStamped(`/public/v1/query/${query}`, JSON.stringify({ organizationId, [member]: value, canary: CANARY }))
    assertError(t, await askFor(CANARY), 'NOT_FOUND', query)
    for (const value of [undefined, null, '', 7, {}, CANARY.repeat(10)]) {
      assertError(t, await askFor(value), 'REQUEST', `${query} ${JSON.stringify(value)}`)
    }
  }
})

// Routes

/** With any method; a query string and headers that nobody may repeat. */
async function ask(method: string, path: string): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}?canary=${CANARY}`, {
    method,
    headers: { 'X-Client-Version': CANARY },
  })
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? undefined,
    text: await response.text(),
  }
}

test('a wrong method is 405', async (t) => {
  for (const path of [WHOAMI, CREATE]) {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      assertError(t, await ask(method, path), 'METHOD', `${method} ${path}`)
    }
    t.is((await ask('HEAD', path)).status, 405)
  }
  for (const path of ['/healthz', '/readyz']) {
    assertError(t, await ask('POST', path), 'METHOD', path)
    t.is((await ask('GET', path)).status, 200)
  }
})

test('an unknown route is 404 in JSON', async (t) => {
  const paths = [
    '/',
    '/nothing',
    '/public',
    '/public/v1',
    '/public/v1/query',
    '/public/v1/query/nothing',
    '/public/v2/query/whoami',
    '/public/v1/submit/whoami',
    '/public/v1/query/create_private_keys',
    '/public/v1/query/__proto__',
    '/public/v1/%zz',
    '/%00',
  ]
  for (const path of paths) {
    for (const method of ['GET', 'POST']) assertError(t, await ask(method, path), 'NOT_FOUND', `${method} ${path}`)
  }
})

// Below Koa

/** Sends parts of a request as they are and collects what comes back until the server hangs up. */
function talk(write: (send: (text: string) => boolean) => void, url = baseUrl): Promise<string> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  let said = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  // A reset after the answer is the server hanging up, too.
  socket.on('error', () => undefined)
  socket.once('connect', () => write((text) => socket.writable && socket.write(text)))
  return new Promise((resolve) => socket.once('close', () => resolve(said)))
}

test('a body that comes too slowly is 408, however many bytes trickle in', async (t) => {
  const slow = await startService()
  t.teardown(() => slow.dispose())
  const head = `POST ${WHOAMI} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`
  // Sent to its end, the trickling body would take eight minutes.
  const trickles = [0, 500].map((everyMs) => {
    let timer: NodeJS.Timeout | undefined
    const answer = talk((send) => {
      send(`${head}{"canary":"${CANARY}`)
      if (everyMs > 0) timer = setInterval(() => send('x'), everyMs)
    }, slow.dev.baseUrl)
    return answer.finally(() => clearInterval(timer))
  })
  for (const said of await Promise.all(trickles)) {
    t.regex(said, /^HTTP\/1\.1 408 /)
    t.false(said.includes(CANARY))
  }
  t.is((await fetch(`${slow.dev.baseUrl}/healthz`)).status, 200)
  t.false(slow.output().includes(CANARY))
})

test('a client that hangs up in its body is no bug of ours', async (t) => {
  const own = await startService()
  t.teardown(() => own.dispose())
  const { port, hostname } = new URL(own.dev.baseUrl)
  const socket = connect(Number(port), hostname)
  const head = `POST ${WHOAMI} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`
  // What is sent in one piece arrives in one piece; the end follows.
  socket.once('connect', () => socket.write(`${head}{"canary":"${CANARY}`, () => socket.destroy()))
  const givesUpAtMs = Date.now() + 30_000
  while (!own.output().includes('"msg":"request"') && Date.now() < givesUpAtMs) await sleep(10)
  t.regex(own.output(), /"msg":"request"/)
  t.false(own.output().includes(CANARY))
  t.notRegex(own.output(), /"msg":"bug"/)
  t.notRegex(own.output(), /"status":500/)
})

const belowKoa: Record<string, [status: number, request: string]> = {
  'no HTTP': [400, `${CANARY}\r\n\r\n`],
  'two lengths': [400, `POST ${WHOAMI} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx`],
  'length and chunks': [
    400,
    `POST ${WHOAMI} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  'length of letters': [400, `POST ${WHOAMI} HTTP/1.1\r\nHost: x\r\nContent-Length: ${CANARY}\r\n\r\n`],
  'a space before the colon': [400, `POST ${WHOAMI} HTTP/1.1\r\nHost: x\r\nX-Stamp : ${CANARY}\r\n\r\n`],
  'no host': [400, `POST ${WHOAMI} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`],
  'headers of 20,000 bytes': [431, `POST ${WHOAMI} HTTP/1.1\r\nHost: x\r\nX-A: ${CANARY.repeat(1_000)}\r\n\r\n`],
}

for (const [name, [status, text]] of Object.entries(belowKoa)) {
  test(`a request with ${name} is ${status}`, async (t) => {
    const said = await talk((send) => send(text))
    t.is(said.split(' ')[1], String(status), said)
    t.false(said.includes(CANARY))
    t.is((await ask('GET', '/healthz')).status, 200)
  })
}

test('what Node refuses before Koa is answered in JSON, too', async (t) => {
  for (const [name, [, text]] of Object.entries(belowKoa)) {
    const said = await talk((send) => send(text))
    t.regex(said, /content-type: application\/json\r\n/i, name)
    t.regex(said, /"code":3/, name)
  }
})

// What is left of it all

/** In the order of the log: when this line is there, everything before it is. */
async function logUpToNow(): Promise<string> {
  const path = `/marker-${randomUUID()}`
  await ask('GET', path)
  const givesUpAtMs = Date.now() + 30_000
  while (!service.output().includes(path) && Date.now() < givesUpAtMs) await sleep(10)
  return service.output()
}

test.after('no log line shows anything of an input, and no refusal was a bug', async (t) => {
  const log = await logUpToNow()
  t.regex(log, /\/marker-[0-9a-f-]+/, 'the log is there to be read')
  t.true(log.split('\n').length > 1_000)
  t.false(log.toLowerCase().includes(CANARY))
  t.false(log.includes(service.dev.apiPublicKey))
  t.deepEqual(
    log.split('\n').filter((line) => /"status":5\d\d/.test(line)),
    [],
  )
})

test.after('no key came of a malformed body', async (t) => {
  const { privateKeys } = (await client.query('list_private_keys')).json
  const named = privateKeys.filter((each: { privateKeyName: string }) => each.privateKeyName === CANARY)
  // The two spellings of the surrogate pair are one body.
  t.is(named.length, Object.keys(goodMembers).length - 1)
})

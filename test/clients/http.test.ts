/** The unmodified @turnkey/http with @turnkey/api-key-stamper, and the activity types that older releases of it send. */
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { createActivityPoller, TurnkeyClient, TurnkeyRequestError } from '@turnkey/http'
import test from 'ava'
import { newTimestampMs } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { isSignatureOf, P256_ORDER } from '../support/verify-signature.ts'

const service = await startService()
/** Answers PENDING whenever the signer needs longer than no time at all. */
const impatient = await startService({ environment: { KEYSTEAD_ACTIVITY_HOLD_MS: '0' } })
test.after.always(() => Promise.all([service.dispose(), impatient.dispose()]))

type Runtime = 'node' | 'purejs' | 'browser'
const RUNTIMES: Runtime[] = ['node', 'purejs', 'browser']

function stamperFor({ dev }: typeof service, runtimeOverride?: Runtime): ApiKeyStamper {
  return new ApiKeyStamper({ apiPublicKey: dev.apiPublicKey, apiPrivateKey: dev.apiPrivateKey, runtimeOverride })
}

function clientFor(each: typeof service, runtime?: Runtime): TurnkeyClient {
  return new TurnkeyClient({ baseUrl: each.dev.baseUrl }, stamperFor(each, runtime))
}

const { organizationId } = service.dev
const client = clientFor(service)

const createBody = (curve: 'CURVE_SECP256K1' | 'CURVE_P256' | 'CURVE_ED25519', privateKeyName = 'http') => ({
  type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2' as const,
  timestampMs: newTimestampMs(),
  organizationId,
  parameters: {
    privateKeys: [
      { privateKeyName, curve, privateKeyTags: [], addressFormats: ['ADDRESS_FORMAT_COMPRESSED' as const] },
    ],
  },
})

const payloadOf = (payload: string) => ({
  payload,
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8' as const,
  hashFunction: 'HASH_FUNCTION_SHA256' as const,
})

const signBody = (signWith: string, payload: string) => ({
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' as const,
  timestampMs: newTimestampMs(),
  organizationId,
  parameters: { signWith, ...payloadOf(payload) },
})

/** What an old release did: stamps the text that it sends. The answer is untyped: today's declarations lack the old types. */
async function send(path: string, body: object, stamper = stamperFor(service)) {
  const text = JSON.stringify(body)
  const { stampHeaderName, stampHeaderValue } = await stamper.stamp(text)
  const headers = { [stampHeaderName]: stampHeaderValue }
  const response = await fetch(service.dev.baseUrl + path, { method: 'POST', body: text, headers })
  return { status: response.status, json: await response.json(), stamp: stampHeaderValue }
}

test('today’s types: create, sign, read', async (t) => {
  const { activity } = await client.createPrivateKeys(createBody('CURVE_P256'))
  t.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
  const [key] = activity.result.createPrivateKeysResultV2?.privateKeys ?? []
  const privateKeyId = key?.privateKeyId ?? ''
  const publicKey = key?.addresses?.[0]?.address ?? ''

  const signed = await client.signRawPayload(signBody(privateKeyId, 'via http'))
  const rsv = signed.activity.result.signRawPayloadResult
  t.true(rsv !== undefined && isSignatureOf('CURVE_P256', publicKey, rsv, Buffer.from('via http'), 'sha256'))

  const read = await client.getActivity({ organizationId, activityId: signed.activity.id })
  t.deepEqual(read.activity, signed.activity)
  const keys = await client.getPrivateKeys({ organizationId })
  t.true(keys.privateKeys.some((each) => each.privateKeyId === privateKeyId && each.publicKey === publicKey))
  t.is((await client.getPrivateKey({ organizationId, privateKeyId })).privateKey.publicKey, publicKey)
  t.is((await client.getWhoami({ organizationId })).username, 'root')
})

test('the first types: the answer carries the type that was sent and the result of its time', async (t) => {
  const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS'
  const made = await send('/public/v1/submit/create_private_keys', { ...createBody('CURVE_SECP256K1'), type })
  t.is(made.status, 200)
  t.is(made.json.activity.type, type)
  t.is(made.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.deepEqual(Object.keys(made.json.activity.result), ['createPrivateKeysResult'])
  t.deepEqual(Object.keys(made.json.activity.intent), ['createPrivateKeysIntent'])
  const [privateKeyId] = made.json.activity.result.createPrivateKeysResult.privateKeyIds
  const { privateKey } = await client.getPrivateKey({ organizationId, privateKeyId })

  const signed = await send('/public/v1/submit/sign_raw_payload', {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD',
    timestampMs: newTimestampMs(),
    organizationId,
    parameters: { privateKeyId, ...payloadOf('first type') },
  })
  t.is(signed.status, 200)
  t.is(signed.json.activity.type, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD')
  t.is(signed.json.activity.intent.signRawPayloadIntent.privateKeyId, privateKeyId)
  const rsv = signed.json.activity.result.signRawPayloadResult
  t.true(isSignatureOf('CURVE_SECP256K1', privateKey.publicKey, rsv, Buffer.from('first type'), 'sha256'))

  const old = {
    organizationId,
    timestampMs: newTimestampMs(),
    parameters: { signWith: privateKeyId, ...payloadOf('x') },
  }
  const mixed = await send('/public/v1/submit/sign_raw_payload', { ...old, type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD' })
  t.is(mixed.status, 400, 'signWith is not a member of the first type')
  t.regex(JSON.stringify(mixed.json.details), /parameters\.privateKeyId/)
})

test('createActivityPoller returns a finished activity at once', async (t) => {
  const poll = createActivityPoller({ client, requestFn: client.createPrivateKeys })
  const activity = await poll(createBody('CURVE_ED25519'))
  t.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.is(activity.result.createPrivateKeysResultV2?.privateKeys.length, 1)
})

test('createActivityPoller carries a PENDING activity to its result', async (t) => {
  const slow = clientFor(impatient)
  const statuses: string[] = []
  const poll = createActivityPoller({
    client: slow,
    requestFn: async (body: ReturnType<typeof createBody>) => {
      const answer = await slow.createPrivateKeys({ ...body, organizationId: impatient.dev.organizationId })
      statuses.push(answer.activity.status)
      t.deepEqual(answer.activity.result, {})
      return answer
    },
    refreshIntervalMs: 50,
  })
  const activity = await poll(createBody('CURVE_SECP256K1'))
  t.deepEqual(statuses, ['ACTIVITY_STATUS_PENDING'])
  t.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.is(activity.result.createPrivateKeysResultV2?.privateKeys.length, 1)
})

for (const runtime of RUNTIMES) {
  // The runtime "browser" takes WebCrypto from the global object, which Node has, too.
  test(`the stamper's runtime "${runtime}" is understood, with either half of s`, async (t) => {
    const stamper = stamperFor(service, runtime)
    const halves = { low: 0, high: 0 }
    // 2^-64 that one half does not come up: an endless loop would hide a stamper that normalises.
    for (let i = 0; i < 64 && (halves.low === 0 || halves.high === 0); i++) {
      const body = { organizationId, round: `${runtime}-${i}` }
      const { status, json, stamp } = await send('/public/v1/query/whoami', body, stamper)
      t.is(status, 200)
      t.is(json.organizationId, organizationId)
      halves[halfOf(stamp)]++
    }
    t.true(halves.low > 0 && halves.high > 0, JSON.stringify(halves))
    const { activity } = await clientFor(service, runtime).createPrivateKeys(createBody('CURVE_P256', runtime))
    t.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
  })
}

/** Of the stamp's ECDSA signature in DER. */
function halfOf(stamp: string): 'low' | 'high' {
  const { signature } = JSON.parse(Buffer.from(stamp, 'base64url').toString()) as { signature: string }
  const der = Buffer.from(signature, 'hex')
  const sAt = 4 + (der[3] as number)
  const s = der.subarray(sAt + 2, sAt + 2 + (der[sAt + 1] as number))
  return BigInt(`0x${s.toString('hex')}`) > P256_ORDER / 2n ? 'high' : 'low'
}

test('errors are thrown with code, message and details', async (t) => {
  const unknown = { ...signBody('33333333-3333-4333-8333-333333333333', 'x') }
  const notFound = await t.throwsAsync(client.signRawPayload(unknown), { instanceOf: TurnkeyRequestError })
  t.is(notFound?.code, 5)
  const malformed = { ...createBody('CURVE_P256'), type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' as never }
  const invalid = await t.throwsAsync(client.createPrivateKeys(malformed), { instanceOf: TurnkeyRequestError })
  t.is(invalid?.code, 3)
  t.true(Array.isArray(invalid?.details))
  const { apiPrivateKey } = service.dev.operator
  const forged = new TurnkeyClient(
    { baseUrl: service.dev.baseUrl },
    {
      stamp: (body) =>
        new ApiKeyStamper({ apiPublicKey: service.dev.operator.apiPublicKey, apiPrivateKey }).stamp(body),
    },
  )
  const stranger = await t.throwsAsync(forged.getWhoami({ organizationId }), { instanceOf: TurnkeyRequestError })
  t.is(stranger?.code, 16)
  t.regex(stranger?.message ?? '', /could not find public key in organization or its parent organization/)
})

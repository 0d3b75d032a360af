/** The unmodified @turnkey/sdk-server; nothing but its base URL is changed. Signatures are verified by OpenSSL and viem. */
import { createHash } from 'node:crypto'
import { Turnkey, TurnkeyRequestError } from '@turnkey/sdk-server'
import test, { type ExecutionContext } from 'ava'
import { recoverPublicKey } from 'viem'
import { startService } from '../support/service.ts'
import { isLowS, isSignatureOf, SECP256K1_ORDER, type CurveName } from '../support/verify-signature.ts'

const service = await startService()
test.after.always(() => service.dispose())

const {
  baseUrl: apiBaseUrl,
  organizationId: defaultOrganizationId,
  apiPublicKey,
  apiPrivateKey,
  operator,
} = service.dev
const sdk = new Turnkey({ apiBaseUrl, apiPublicKey, apiPrivateKey, defaultOrganizationId })
const api = sdk.apiClient()

const wanted = [
  { curve: 'CURVE_SECP256K1', addressFormats: ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_COMPRESSED'] },
  { curve: 'CURVE_ED25519', addressFormats: ['ADDRESS_FORMAT_SOLANA', 'ADDRESS_FORMAT_COMPRESSED'] },
  { curve: 'CURVE_P256', addressFormats: ['ADDRESS_FORMAT_UNCOMPRESSED', 'ADDRESS_FORMAT_COMPRESSED'] },
] as const

const nameOf = (curve: string) => `key on ${curve}`
let created: Awaited<ReturnType<typeof api.createPrivateKeys>>
test.before(async () => {
  created = await api.createPrivateKeys({
    privateKeys: wanted.map(({ curve, addressFormats }) => ({
      privateKeyName: nameOf(curve),
      curve,
      privateKeyTags: [],
      addressFormats: [...addressFormats],
    })),
  })
})

/** The key that was made for a curve, as the answer of the creation names it. */
function keyOn(curve: CurveName): { privateKeyId: string; addresses: string[]; publicKey: string } {
  const at = wanted.findIndex((each) => each.curve === curve)
  const { privateKeyId = '', addresses = [] } = created.privateKeys[at] ?? {}
  const texts = addresses.map((each) => each.address ?? '')
  const compressed = addresses.find((each) => each.format === 'ADDRESS_FORMAT_COMPRESSED')
  return { privateKeyId, addresses: texts, publicKey: compressed?.address ?? '' }
}

test('createPrivateKeys: one key per curve, in order, with the addresses asked for', async (t) => {
  t.is(created.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.is(created.activity.type, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2')
  t.is(created.privateKeys.length, 3)
  t.is(new Set(created.privateKeys.map((each) => each.privateKeyId)).size, 3)
  wanted.forEach(({ addressFormats }, i) => {
    t.deepEqual(
      created.privateKeys[i]?.addresses?.map((each) => each.format),
      [...addressFormats],
    )
  })
  t.regex(keyOn('CURVE_SECP256K1').addresses[0] ?? '', /^0x[0-9a-fA-F]{40}$/)
  t.regex(keyOn('CURVE_P256').addresses[0] ?? '', /^04[0-9a-f]{128}$/)
  t.regex(keyOn('CURVE_ED25519').addresses[0] ?? '', /^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
})

test('getPrivateKeys and getPrivateKey show the keys as they were created', async (t) => {
  const { privateKeys } = await api.getPrivateKeys()
  for (const { curve } of wanted) {
    const { privateKeyId, addresses, publicKey } = keyOn(curve)
    const { privateKey } = await api.getPrivateKey({ privateKeyId })
    t.deepEqual(
      privateKeys.find((each) => each.privateKeyId === privateKeyId),
      privateKey,
    )
    t.is(privateKey.curve, curve)
    t.is(privateKey.privateKeyName, nameOf(curve))
    t.is(privateKey.publicKey, publicKey)
    t.deepEqual(
      privateKey.addresses.map((each) => each.address ?? ''),
      addresses,
    )
    t.deepEqual([privateKey.exported, privateKey.imported], [false, false])
  }
})

test('getWhoami names the organization and its root user', async (t) => {
  const { organizationId, organizationName, userId, username } = await api.getWhoami()
  t.is(organizationId, defaultOrganizationId)
  t.is(organizationName, 'Development')
  t.is(username, 'root')
  t.regex(userId, /^[0-9a-f-]{36}$/)
})

test('getActivity answers what the submit answered', async (t) => {
  const { activity } = await api.getActivity({ activityId: created.activity.id })
  t.deepEqual(activity, created.activity)
  t.deepEqual(activity.result.createPrivateKeysResultV2?.privateKeys, created.privateKeys)
})

const text = 'héllo ✓ 0x'
const textBytes = Buffer.from(text)
const digest = createHash('sha256').update(textBytes).digest('hex')
const encoded = {
  PAYLOAD_ENCODING_TEXT_UTF8: text,
  PAYLOAD_ENCODING_HEXADECIMAL: textBytes.toString('hex'),
} as const
type Encoding = keyof typeof encoded
type HashFunction =
  | 'HASH_FUNCTION_NO_OP'
  | 'HASH_FUNCTION_SHA256'
  | 'HASH_FUNCTION_KECCAK256'
  | 'HASH_FUNCTION_NOT_APPLICABLE'

/** The SDK's call, and OpenSSL's verdict on what came back. `message` and `hash`: what must have been signed. */
async function signAndVerify(
  t: ExecutionContext,
  curve: CurveName,
  request: { payload: string; encoding: Encoding; hashFunction: HashFunction },
  message: Buffer,
  hash: 'sha256' | 'keccak-256' | undefined,
) {
  const { privateKeyId, publicKey, addresses } = keyOn(curve)
  for (const signWith of [privateKeyId, ...addresses]) {
    const signed = await api.signRawPayload({ signWith, ...request })
    const label = `${curve} ${request.hashFunction} ${request.encoding} by ${signWith}`
    t.is(signed.activity.status, 'ACTIVITY_STATUS_COMPLETED', label)
    t.true(isSignatureOf(curve, publicKey, signed, message, hash), label)
    t.false(isSignatureOf(curve, publicKey, signed, Buffer.from(`${message.toString()}!`), hash), label)
    t.regex(signed.v, curve === 'CURVE_ED25519' ? /^00$/ : /^0[01]$/, label)
    if (curve !== 'CURVE_SECP256K1' || hash === undefined) continue
    t.true(isLowS(signed, SECP256K1_ORDER), label)
    const signature = `0x${signed.r}${signed.s}${signed.v}` as const
    const point = await recoverPublicKey({ hash: createHash(hash).update(message).digest(), signature })
    t.is(compress(point), publicKey, label)
  }
}

function compress(uncompressed: string): string {
  const x = uncompressed.slice(4, 68)
  return `${Number.parseInt(uncompressed.slice(-1), 16) % 2 === 0 ? '02' : '03'}${x}`
}

for (const curve of ['CURVE_SECP256K1', 'CURVE_P256'] as const) {
  for (const encoding of Object.keys(encoded) as Encoding[]) {
    for (const [hashFunction, hash] of [
      ['HASH_FUNCTION_SHA256', 'sha256'],
      ['HASH_FUNCTION_KECCAK256', 'keccak-256'],
    ] as const) {
      test(`signRawPayload: ${curve}, ${encoding}, ${hashFunction}`, async (t) => {
        await signAndVerify(t, curve, { payload: encoded[encoding], encoding, hashFunction }, textBytes, hash)
      })
    }
  }

  test(`signRawPayload: ${curve}, HASH_FUNCTION_NO_OP over a digest`, async (t) => {
    const hashFunction = 'HASH_FUNCTION_NO_OP'
    for (const payload of [digest, `0x${digest}`, digest.toUpperCase()]) {
      const request = { payload, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction } as const
      await signAndVerify(t, curve, request, textBytes, 'sha256')
    }
    // As UTF-8 text the 32 bytes themselves are the digest; only OpenSSL's view of them differs.
    const request = { payload: 'x'.repeat(32), encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction } as const
    const signed = await api.signRawPayload({ signWith: keyOn(curve).privateKeyId, ...request })
    const again = await api.signRawPayload({
      signWith: keyOn(curve).privateKeyId,
      payload: '78'.repeat(32),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction,
    })
    t.deepEqual([signed.r, signed.s, signed.v], [again.r, again.s, again.v], 'RFC 6979: same digest, same signature')
  })
}

for (const encoding of Object.keys(encoded) as Encoding[]) {
  test(`signRawPayload: CURVE_ED25519, ${encoding}, HASH_FUNCTION_NOT_APPLICABLE`, async (t) => {
    const request = { payload: encoded[encoding], encoding, hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' } as const
    await signAndVerify(t, 'CURVE_ED25519', request, textBytes, undefined)
  })
}

test('16 identical requests at once are one activity and one key', async (t) => {
  const countBefore = (await api.getPrivateKeys()).privateKeys.length
  const request = {
    timestampMs: String(Date.now()),
    privateKeys: [
      { privateKeyName: 'raced', curve: 'CURVE_SECP256K1' as const, privateKeyTags: [], addressFormats: [] },
    ],
  }
  const answers = await Promise.all(Array.from({ length: 16 }, () => api.createPrivateKeys(request)))
  t.is(new Set(answers.map((each) => each.activity.id)).size, 1)
  t.is(new Set(answers.map((each) => each.privateKeys[0]?.privateKeyId)).size, 1)
  const { privateKeys } = await api.getPrivateKeys()
  t.is(privateKeys.filter((each) => each.privateKeyName === 'raced').length, 1)
  t.is(privateKeys.length, countBefore + 1)
  const later = await api.createPrivateKeys({ ...request, timestampMs: String(Number(request.timestampMs) + 1) })
  t.not(later.activity.id, answers[0]?.activity.id)
})

/** What the SDK throws for a call that must not succeed. */
function thrownBy(t: ExecutionContext, call: () => Promise<unknown>): Promise<TurnkeyRequestError> {
  return t.throwsAsync<TurnkeyRequestError>(call, { instanceOf: TurnkeyRequestError })
}

const signable = { payload: digest, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' } as const

test('an unknown organization throws code 5', async (t) => {
  const organizationId = '11111111-1111-4111-8111-111111111111'
  const error = await thrownBy(t, () => api.getWhoami({ organizationId }))
  t.is(error.code, 5)
  t.regex(error.message, /^Turnkey error 5: no organization found with the given ID/)
  t.regex(JSON.stringify(error.details), /ORGANIZATION_NOT_FOUND/)
})

test('another organization of the same service throws code 16', async (t) => {
  const { organizationId } = operator
  const says = 'could not find public key in organization or its parent organization'
  for (const call of [
    () => api.getPrivateKeys({ organizationId }),
    () => api.signRawPayload({ organizationId, signWith: 'any', ...signable, hashFunction: 'HASH_FUNCTION_SHA256' }),
  ]) {
    const error = await thrownBy(t, call)
    t.is(error.code, 16)
    t.true(error.message.startsWith(`Turnkey error 16: ${says}`), error.message)
  }
})

test('an unknown key id throws code 5', async (t) => {
  const privateKeyId = '22222222-2222-4222-8222-222222222222'
  const request = { signWith: privateKeyId, ...signable, hashFunction: 'HASH_FUNCTION_SHA256' } as const
  const signing = await thrownBy(t, () => api.signRawPayload(request))
  t.is(signing.code, 5)
  t.regex(signing.message, /^Turnkey error 5: no private key found with the given id or address/)
  const reading = await thrownBy(t, () => api.getPrivateKey({ privateKeyId }))
  t.is(reading.code, 5)
})

test('a curve that does not exist throws code 3 and names the member', async (t) => {
  const privateKeys = [
    { privateKeyName: 'x', curve: 'CURVE_X' as 'CURVE_P256', privateKeyTags: [], addressFormats: [] },
  ]
  const error = await thrownBy(t, () => api.createPrivateKeys({ privateKeys }))
  t.is(error.code, 3)
  t.regex(error.message, /^Turnkey error 3: invalid curve/)
  t.regex(JSON.stringify(error.details), /privateKeys\.0\.curve/)
})

const misfits = [
  { curve: 'CURVE_SECP256K1', hashFunction: 'HASH_FUNCTION_NO_OP', payload: '00'.repeat(31), says: /32 bytes/ },
  { curve: 'CURVE_SECP256K1', hashFunction: 'HASH_FUNCTION_NO_OP', payload: '00'.repeat(33), says: /32 bytes/ },
  { curve: 'CURVE_P256', hashFunction: 'HASH_FUNCTION_NO_OP', payload: '00'.repeat(31), says: /32 bytes/ },
  { curve: 'CURVE_SECP256K1', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE', payload: digest, says: /hash function/ },
  { curve: 'CURVE_P256', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE', payload: digest, says: /hash function/ },
  { curve: 'CURVE_ED25519', hashFunction: 'HASH_FUNCTION_KECCAK256', payload: digest, says: /hash function/ },
  { curve: 'CURVE_ED25519', hashFunction: 'HASH_FUNCTION_SHA256', payload: digest, says: /hash function/ },
  { curve: 'CURVE_ED25519', hashFunction: 'HASH_FUNCTION_NO_OP', payload: digest, says: /hash function/ },
  { curve: 'CURVE_P256', hashFunction: 'HASH_FUNCTION_SHA256', payload: 'abc', says: /hexadecimal/ },
] as const

for (const { curve, hashFunction, payload, says } of misfits) {
  test(`${curve} with ${hashFunction} and ${payload.length / 2} bytes throws code 3`, async (t) => {
    const request = { signWith: keyOn(curve).privateKeyId, payload, encoding: signable.encoding, hashFunction }
    const error = await thrownBy(t, () => api.signRawPayload(request))
    t.is(error.code, 3)
    t.regex(error.message, /^Turnkey error 3: /)
    t.regex(error.message, says)
    t.regex(JSON.stringify(error.details), /REQUEST_INVALID/)
  })
}

/** API keys on every curve over HTTP: each stamps with its own scheme and no other, and what it asks for is done. */
import test from 'ava'
import { newStampingKey, stampBy, type StampingKey } from '../support/api-keys.ts'
import { Client, postBytes } from '../support/client.ts'
import { startService } from '../support/service.ts'
import type { StampScheme } from '../../signer-core/protocol/stamp.ts'

const service = await startService()
test.after.always(() => service.dispose())
const { dev } = service
const root = new Client(dev.baseUrl, dev)

const curves = ['API_KEY_CURVE_P256', 'API_KEY_CURVE_SECP256K1', 'API_KEY_CURVE_ED25519'] as const
const keys = curves.map((curve) => newStampingKey(curve)) as [StampingKey, StampingKey, StampingKey]
test.before(async () => {
  const { json } = await root.query('whoami')
  const apiKeys = keys.map(({ curveType, publicKey }) => ({ apiKeyName: curveType, curveType, publicKey }))
  await root.submit('create_api_keys', 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: json.userId, apiKeys })
})

let count = 0
/** Creates a key, stamped this way. @returns the HTTP status and the name of the error, if there is one. */
async function create(key: StampingKey, scheme?: StampScheme, change = (body: string) => body) {
  const privateKeys = [{ privateKeyName: 'k', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }]
  const { organizationId } = dev
  const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
  const body = JSON.stringify({ type, timestampMs: String(++count), organizationId, parameters: { privateKeys } })
  const header = Buffer.from(JSON.stringify(stampBy(key, body, scheme))).toString('base64url')
  const path = '/public/v1/submit/create_private_keys'
  const { status, json } = await postBytes(dev.baseUrl, path, change(body), { 'X-Stamp': header })
  return `${status} ${json.turnkeyErrorCode ?? json.activity.status}`
}

const DONE = '200 ACTIVITY_STATUS_COMPLETED'

test('each scheme is taken, also that of wallets', async (t) => {
  for (const key of keys) t.is(await create(key), DONE, key.curveType)
  t.is(await create(keys[1], 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'), DONE)
})

test('not over other bytes', async (t) => {
  for (const key of keys) {
    t.is(await create(key, undefined, (body) => `${body} `), '401 SIGNATURE_INVALID', key.curveType)
  }
  const scheme = 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'
  t.is(await create(keys[1], scheme, (body) => `${body} `), '401 SIGNATURE_INVALID')
})

test('not with a key that nobody has', async (t) => {
  for (const curve of curves) t.is(await create(newStampingKey(curve)), '401 PUBLIC_KEY_NOT_FOUND', curve)
})

test('keys are shown with the type of their credential', async (t) => {
  const { json } = await root.query('get_api_keys')
  const types = new Map<string, string>(
    json.apiKeys.map(({ credential }: { credential: { publicKey: string; type: string } }) => [
      credential.publicKey,
      credential.type,
    ]),
  )
  t.deepEqual(
    keys.map(({ publicKey }) => types.get(publicKey)),
    ['CREDENTIAL_TYPE_API_KEY_P256', 'CREDENTIAL_TYPE_API_KEY_SECP256K1', 'CREDENTIAL_TYPE_API_KEY_ED25519'],
  )
})

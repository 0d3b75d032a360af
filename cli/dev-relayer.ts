/** The relayer keys of development mode: made in the operator's organization, as any client would make them. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import type { DevOrganization } from './dev-organizations.ts'

interface PrivateKey {
  privateKeyName: string
  addresses: { format: string; address: string }[]
}

/** DER of SubjectPublicKeyInfo for id-ecPublicKey, prime256v1 and a 33-byte point (RFC 5480). */
const SPKI_HEAD = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')
const FORMAT = 'ADDRESS_FORMAT_ETHEREUM'
/** A minute in all. */
const LOOK_AGAIN_MS = Array.from({ length: 150 }, (_, i) => (i < 100 ? 100 : 1_000))

/** The address of the key of this name, which is made when it is not there. */
export async function devRelayer(baseUrl: string, operator: DevOrganization, name: string): Promise<Address> {
  const known = await findKey(baseUrl, operator, name)
  if (known !== undefined) return known
  const privateKeys = [{ privateKeyName: name, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: [FORMAT] }]
  const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
  await post(baseUrl, operator, '/submit/create_private_keys', {
    type,
    timestampMs: String(Date.now()),
    parameters: { privateKeys },
  })
  // The answer may have been PENDING.
  for (const pauseMs of LOOK_AGAIN_MS) {
    const made = await findKey(baseUrl, operator, name)
    if (made !== undefined) return made
    await sleep(pauseMs)
  }
  throw new Error('the relayer key was not made')
}

async function findKey(baseUrl: string, operator: DevOrganization, name: string): Promise<Address | undefined> {
  const { privateKeys } = (await post(baseUrl, operator, '/query/list_private_keys', {})) as {
    privateKeys: PrivateKey[]
  }
  const key = privateKeys.find((each) => each.privateKeyName === name)
  return key?.addresses.find(({ format }) => format === FORMAT)?.address as Address | undefined
}

function post(baseUrl: string, operator: DevOrganization, path: string, members: object): Promise<unknown> {
  const body = JSON.stringify({ organizationId: operator.organizationId, ...members })
  return postStamped(baseUrl, operator, `/public/v1${path}`, body)
}

export async function postStamped(
  baseUrl: string,
  { apiPublicKey, apiPrivateKey }: DevOrganization,
  path: string,
  body: string,
): Promise<unknown> {
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(apiPublicKey, 'hex')])
  const point = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const d = Buffer.from(apiPrivateKey, 'hex').toString('base64url')
  const key = createPrivateKey({ key: { ...point, d }, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(body), key).toString('hex')
  const stamp = { publicKey: apiPublicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
  const headers = { 'X-Stamp': Buffer.from(JSON.stringify(stamp)).toString('base64url') }
  const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', body, headers })
  if (!answer.ok) throw new Error(`the service answered ${answer.status} to ${path}`)
  return answer.json()
}

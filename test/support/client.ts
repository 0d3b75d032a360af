/** A client without any SDK: stamps exact bytes with node:crypto and shows the answer as it came. */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'

export interface Credentials {
  organizationId: string
  apiPublicKey: string
  apiPrivateKey: string
}

export interface HttpAnswer {
  status: number
  headers: Headers
  text: string
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  json: any
}

/** DER of SubjectPublicKeyInfo up to the 33-byte point (RFC 5480). */
const SPKI_HEAD = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')

export function apiKeyOf({ apiPublicKey, apiPrivateKey }: Omit<Credentials, 'organizationId'>): KeyObject {
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(apiPublicKey, 'hex')])
  const point = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const d = Buffer.from(apiPrivateKey, 'hex').toString('base64url')
  return createPrivateKey({ key: { ...point, d }, format: 'jwk' })
}

export function stampOf(credentials: Omit<Credentials, 'organizationId'>, body: string | Uint8Array): string {
  const signature = sign('sha256', Buffer.from(body), apiKeyOf(credentials)).toString('hex')
  const stamp = { publicKey: credentials.apiPublicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
  return Buffer.from(JSON.stringify(stamp)).toString('base64url')
}

/** Posts exact bytes. `headers` win over the stamp made here. */
export async function postBytes(
  baseUrl: string,
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Promise<HttpAnswer> {
  const response = await fetch(baseUrl + path, { method: 'POST', body: Buffer.from(body), headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: text === '' ? undefined : JSON.parse(text) }
}

let lastTimestampMs = Date.now()

/**
 * An instant that this process has named to nobody. Identical bodies are one activity: two tests of a file that make
 * a key of the same name within one millisecond would share it.
 */
export function newTimestampMs(): string {
  lastTimestampMs = Math.max(lastTimestampMs + 1, Date.now())
  return String(lastTimestampMs)
}

export class Client {
  readonly baseUrl: string
  readonly credentials: Credentials
  constructor(baseUrl: string, credentials: Credentials) {
    this.baseUrl = baseUrl
    this.credentials = credentials
  }

  post(path: string, body: object): Promise<HttpAnswer> {
    const text = JSON.stringify(body)
    return postBytes(this.baseUrl, `/public/v1${path}`, text, { 'X-Stamp': stampOf(this.credentials, text) })
  }

  query(name: string, parameters: object = {}): Promise<HttpAnswer> {
    return this.post(`/query/${name}`, { organizationId: this.credentials.organizationId, ...parameters })
  }

  /** @param path For example `sign_raw_payload`. */
  submit(path: string, type: string, parameters: object, timestampMs = newTimestampMs()): Promise<HttpAnswer> {
    const { organizationId } = this.credentials
    return this.post(`/submit/${path}`, { type, timestampMs, organizationId, parameters })
  }

  async createKey(
    curve: string,
    addressFormats: string[] = [],
  ): Promise<{ privateKeyId: string; addresses: string[] }> {
    const privateKeys = [{ privateKeyName: 'test', curve, privateKeyTags: [], addressFormats }]
    const answer = await this.submit('create_private_keys', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys })
    const [created] = answer.json.activity.result.createPrivateKeysResultV2.privateKeys
    return {
      privateKeyId: created.privateKeyId,
      addresses: created.addresses.map((each: { address: string }) => each.address),
    }
  }

  sign(signWith: string, payload: string, hashFunction: string, timestampMs?: string): Promise<HttpAnswer> {
    const parameters = { signWith, payload, encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction }
    return this.submit('sign_raw_payload', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, timestampMs)
  }
}

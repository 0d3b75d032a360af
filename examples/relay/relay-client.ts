/** A client of the relay's routes: the body is canonical JSON (RFC 8785), and the stamp is over exactly these bytes. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import canonicalize from 'canonicalize'

export interface Credentials {
  baseUrl: string
  organizationId: string
  /** Compressed P-256 point, hex. */
  apiPublicKey: string
  apiPrivateKey: string
}

/** DER of SubjectPublicKeyInfo for id-ecPublicKey, prime256v1 and a 33-byte point (RFC 5480). */
const SPKI_HEAD = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')

export function relayClient({ baseUrl, organizationId, apiPublicKey, apiPrivateKey }: Credentials) {
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(apiPublicKey, 'hex')])
  const point = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const d = Buffer.from(apiPrivateKey, 'hex').toString('base64url')
  const key = createPrivateKey({ key: { ...point, d }, format: 'jwk' })

  return async (route: string, members: object): Promise<Record<string, unknown>> => {
    const body = canonicalize({ organizationId, ...members }) as string
    const signature = sign('sha256', Buffer.from(body), key).toString('hex')
    const stamp = { publicKey: apiPublicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
    const headers = { 'X-Stamp': Buffer.from(JSON.stringify(stamp)).toString('base64url') }
    const answer = await fetch(`${baseUrl}/public/v1/relay/${route}`, { method: 'POST', body, headers })
    const json = (await answer.json()) as Record<string, unknown>
    if (!answer.ok) throw new Error(`${answer.status} ${JSON.stringify(json)}`)
    return json
  }
}

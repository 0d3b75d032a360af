/** The service key: an API key of the operator's organization, from a file that only the gateway's user reads. */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { UUID } from '../../signer-core/protocol/organization-record.ts'
import type { Stamp } from '../../signer-core/protocol/stamp.ts'
import { StartError } from '../start-error.ts'

const fileSchema = z.object({
  organizationId: z.string().regex(UUID),
  /** Compressed P-256 point, hex. */
  apiPublicKey: z.string().regex(/^0[23][0-9a-f]{64}$/),
  apiPrivateKey: z.string().regex(/^[0-9a-f]{64}$/),
})

/** DER of SubjectPublicKeyInfo for id-ecPublicKey, prime256v1 and a 33-byte point (RFC 5480). */
const SPKI_HEAD = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')

export class ServiceKeyError extends StartError {
  override name = 'ServiceKeyError'
}

export class ServiceKey {
  readonly organizationId: string
  private readonly publicKey: string
  private readonly privateKey: KeyObject

  /** @throws {ServiceKeyError} when the file cannot be used; it says nothing of what is in it. */
  constructor(path: string) {
    try {
      const { organizationId, apiPublicKey, apiPrivateKey } = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
      const der = Buffer.concat([SPKI_HEAD, Buffer.from(apiPublicKey, 'hex')])
      const point = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
      const d = Buffer.from(apiPrivateKey, 'hex').toString('base64url')
      this.organizationId = organizationId
      this.publicKey = apiPublicKey
      this.privateKey = createPrivateKey({ key: { ...point, d }, format: 'jwk' })
    } catch {
      throw new ServiceKeyError('the file of the service key cannot be used')
    }
  }

  stamp(body: Uint8Array): Stamp {
    const signature = sign('sha256', body, this.privateKey).toString('hex')
    return { scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: this.publicKey, signature }
  }
}

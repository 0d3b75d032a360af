/** What policies may know of a key, sealed when the key is made and believed only under that seal. */
import { isNotarized, notarize } from 'keystead:engine/engine@0.1.0'
import { utf8ToBytes } from '../protocol/bytes.ts'
import { keyCertificateSchema, type KeyCertificate } from '../protocol/key-certificate.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { parse } from '../protocol/schema.ts'
import type { KeyRecord, Notarized } from './wit-types.ts'

export function certify(certificate: Partial<KeyCertificate> & Pick<KeyCertificate, Bound>): Notarized {
  const text = JSON.stringify({ format: 1, ...certificate })
  return { text, seal: notarize('key', utf8ToBytes(text)) }
}

type Bound = 'organizationId' | 'keyId' | 'kind'

/**
 * @returns undefined for a key that came without one: what a policy asks of it is then an error.
 * @throws {RefusalError} `SEALED_KEY_REFUSED` for one that is not the signer's, or of another key.
 */
export function certificateOf({ keyId, certificate }: KeyRecord, organizationId: string): KeyCertificate | undefined {
  if (certificate === undefined || certificate === null) return undefined
  const { text, seal } = certificate
  const own = text.isWellFormed() && isNotarized('key', utf8ToBytes(text), seal)
  const read = own ? parse(keyCertificateSchema, JSON.parse(text)) : undefined
  if (read?.ok && read.value.keyId === keyId && read.value.organizationId === organizationId) return read.value
  throw new RefusalError('SEALED_KEY_REFUSED', 'the certificate is not of this key')
}

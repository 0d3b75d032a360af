/** What policies may know of a key, sealed when the key is made and believed only under that seal. */
import { isNotarized, notarize } from 'keystead:engine/engine@0.1.0'
import { equalBytes, utf8ToBytes } from '../protocol/bytes.ts'
import { keyCertificateSchema, type KeyCertificate } from '../protocol/key-certificate.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { parse } from '../protocol/schema.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { KeyRecord, Notarized } from './wit-types.ts'

export function certify(certificate: Partial<KeyCertificate> & Pick<KeyCertificate, Bound>): Notarized {
  const text = JSON.stringify({ format: 1, ...certificate })
  return { text, seal: notarize('key', utf8ToBytes(text)) }
}

/** Certificates vouched for lately: the reference engine takes a millisecond for one. */
const vouched = new BoundedCache<{ seal: Uint8Array; certificate: KeyCertificate }>(256)

type Bound = 'organizationId' | 'keyId' | 'kind'

/**
 * @returns undefined for a key that came without one: what a policy asks of it is then an error.
 * @throws {RefusalError} `SEALED_KEY_REFUSED` for one that is not the signer's, or of another key.
 */
export function certificateOf({ keyId, certificate }: KeyRecord, organizationId: string): KeyCertificate | undefined {
  if (certificate === undefined || certificate === null) return undefined
  const read = vouchedFor(certificate)
  if (read?.keyId === keyId && read.organizationId === organizationId) return read
  throw new RefusalError('SEALED_KEY_REFUSED', 'the certificate is not of this key')
}

function vouchedFor({ text, seal }: Notarized): KeyCertificate | undefined {
  const known = vouched.get(text)
  if (known !== undefined && equalBytes(known.seal, seal)) return known.certificate
  if (!text.isWellFormed() || !isNotarized('key', utf8ToBytes(text), seal)) return undefined
  const read = parse(keyCertificateSchema, JSON.parse(text))
  if (!read.ok) return undefined
  vouched.set(text, { seal, certificate: read.value }, 1)
  return read.value
}

/** ECDSA P-256 over the exact body bytes, natively and on the thread pool. An early no; the signer checks again. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { Stamp } from '../signer-core/protocol/stamp.ts'

/** DER of SubjectPublicKeyInfo for id-ecPublicKey, prime256v1 and a 33-byte point (RFC 5480). */
const SPKI_HEAD = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')

const keys = new Map<string, KeyObject>()
const KEYS_MAX = 1_000

/** undefined when the point is not on the curve. */
function publicKeyOf(compressedHex: string): KeyObject | undefined {
  const known = keys.get(compressedHex)
  if (known !== undefined) return known
  try {
    const der = Buffer.concat([SPKI_HEAD, Buffer.from(compressedHex, 'hex')])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    if (keys.size >= KEYS_MAX) keys.clear()
    keys.set(compressedHex, key)
    return key
  } catch {
    return undefined
  }
}

/** Either half of `s` is valid: real stampers do not normalise it. */
export function isStampValid(stamp: Stamp, body: Uint8Array): Promise<boolean> {
  const key = publicKeyOf(stamp.publicKey)
  if (key === undefined) return Promise.resolve(false)
  const signature = Buffer.from(stamp.signature, 'hex')
  return new Promise((resolve) => {
    verify('sha256', body, { key, dsaEncoding: 'der' }, signature, (error, valid) => resolve(error === null && valid))
  })
}

/** Stamps over the exact body bytes, natively and on the thread pool. An early no; the signer checks again. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { Stamp } from '../signer-core/protocol/stamp.ts'
import { verificationOf } from '../signer-core/protocol/stamp-verification.ts'

const keys = new Map<string, KeyObject>()
const KEYS_MAX = 1_000

/** undefined when the point is not on the curve. */
function publicKeyOf(spki: Buffer): KeyObject | undefined {
  const name = spki.toString('latin1')
  const known = keys.get(name)
  if (known !== undefined) return known
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    if (keys.size >= KEYS_MAX) keys.clear()
    keys.set(name, key)
    return key
  } catch {
    return undefined
  }
}

/** Either half of `s` is valid: real stampers do not normalise it. */
export function isStampValid(stamp: Stamp, body: Uint8Array): Promise<boolean> {
  const { spki, hash, bytes, signature } = verificationOf(stamp, body)
  const key = publicKeyOf(Buffer.from(spki))
  if (key === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    verify(hash, bytes, { key, dsaEncoding: 'der' }, signature, (error, valid) => resolve(error === null && valid))
  })
}

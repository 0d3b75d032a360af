import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { Stamp } from '../protocol/stamp.ts'
import { verificationOf } from '../protocol/stamp-verification.ts'

const KEYS_CACHED_MAX = 1_000

const keys = new Map<string, KeyObject>()

/**
 * Whether the stamp's key signed exactly these bytes. Whose key it is, and whether it may, is the gate's question.
 */
export function isStampOf(stamp: Stamp, body: Uint8Array): boolean {
  const { spki, hash, bytes, signature } = verificationOf(stamp, body)
  const key = keyOf(Buffer.from(spki))
  return key !== undefined && verify(hash, bytes, { key, dsaEncoding: 'der' }, signature)
}

/** undefined when the x coordinate is not on the curve. Such a key is not cached. */
function keyOf(spki: Buffer): KeyObject | undefined {
  const name = spki.toString('latin1')
  const cached = keys.get(name)
  if (cached !== undefined) return cached
  let key: KeyObject
  try {
    key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
  // A Map walks in order of insertion, so its first key is the oldest.
  if (keys.size >= KEYS_CACHED_MAX) keys.delete(keys.keys().next().value as string)
  keys.set(name, key)
  return key
}

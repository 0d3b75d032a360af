import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { concatBytes, hexToBytes } from '../protocol/bytes.ts'
import type { Stamp } from '../protocol/stamp.ts'

/** SubjectPublicKeyInfo of a P-256 key up to its compressed point (RFC 5480, RFC 5915 OIDs). */
const SPKI_PREFIX = hexToBytes('3039301306072a8648ce3d020106082a8648ce3d030107032200') as Uint8Array
const KEYS_CACHED_MAX = 1_000

const keys = new Map<string, KeyObject>()

/**
 * Whether the stamp's key signed exactly these bytes (ECDSA P-256 with SHA-256). Whose key it is, and whether it
 * may, is the gate's question.
 */
export function isStampOf(stamp: Stamp, body: Uint8Array): boolean {
  const key = keyOf(stamp.publicKey)
  const signature = hexToBytes(stamp.signature)
  if (key === undefined || signature === undefined) return false
  return verify('sha256', body, { key, dsaEncoding: 'der' }, signature)
}

/** undefined when the x coordinate is not on the curve. Such a key is not cached. */
function keyOf(publicKey: string): KeyObject | undefined {
  const cached = keys.get(publicKey)
  if (cached !== undefined) return cached
  const point = hexToBytes(publicKey)
  if (point === undefined) return undefined
  const spki = Buffer.from(concatBytes(SPKI_PREFIX, point))
  let key: KeyObject
  try {
    key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
  // A Map walks in order of insertion, so its first key is the oldest.
  if (keys.size >= KEYS_CACHED_MAX) keys.delete(keys.keys().next().value as string)
  keys.set(publicKey, key)
  return key
}

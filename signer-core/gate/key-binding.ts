import type { SealedKey } from 'keystead:engine/engine@0.1.0'
import { lengthPrefixed, utf8ToBytes } from '../protocol/bytes.ts'
import type { KeyRecord } from './wit-types.ts'

/** Ties a secret to its owner: a sealed key of another organization or under another id does not open. */
export function keyBinding(organizationId: string, keyId: string): Uint8Array {
  return lengthPrefixed(utf8ToBytes(organizationId), utf8ToBytes(keyId))
}

/** Ties an import target to its user. */
export function targetBinding(organizationId: string, userId: string): Uint8Array {
  return lengthPrefixed(utf8ToBytes(organizationId), utf8ToBytes(userId))
}

/** The key as the engine wants it. */
export function sealedKeyOf({ keyId, curve, publicKey, sealed }: KeyRecord, organizationId: string): SealedKey {
  return { curve, publicKey, sealed, binding: keyBinding(organizationId, keyId) }
}

import type { SealedKey, SealedTarget, SealedWallet } from 'keystead:engine/engine@0.1.0'
import { lengthPrefixed, utf8ToBytes } from '../protocol/bytes.ts'
import type { ImportFlow } from '../protocol/changes.ts'
import type { ImportTarget, KeyRecord, WalletRecord } from './wit-types.ts'

/** Ties a secret to its owner: a sealed key of another organization or under another id does not open. */
export function keyBinding(organizationId: string, keyId: string): Uint8Array {
  return lengthPrefixed(utf8ToBytes(organizationId), utf8ToBytes(keyId))
}

/** The same for a wallet, whose own sealing purpose keeps it apart from keys. */
export function walletBinding(organizationId: string, walletId: string): Uint8Array {
  return lengthPrefixed(utf8ToBytes(organizationId), utf8ToBytes(walletId))
}

/** Ties an import target to its user and to what it serves for: a third field, which that of private keys has not. */
export function targetBinding(organizationId: string, userId: string, flow: ImportFlow): Uint8Array {
  const owner = [utf8ToBytes(organizationId), utf8ToBytes(userId)]
  return flow === 'private-key' ? lengthPrefixed(...owner) : lengthPrefixed(...owner, utf8ToBytes(flow))
}

/** The key as the engine wants it. */
export function sealedKeyOf({ keyId, curve, publicKey, sealed }: KeyRecord, organizationId: string): SealedKey {
  return { curve, publicKey, sealed, binding: keyBinding(organizationId, keyId) }
}

/** The wallet as the engine wants it. */
export function sealedWalletOf({ walletId, sealed }: WalletRecord, organizationId: string): SealedWallet {
  return { sealed, binding: walletBinding(organizationId, walletId) }
}

/** The target as the engine wants it. */
export function sealedTargetOf(
  { publicKey, sealed }: ImportTarget,
  organizationId: string,
  userId: string,
  flow: ImportFlow,
): SealedTarget {
  return { publicKey, sealed, binding: targetBinding(organizationId, userId, flow) }
}

/** Hashes that several families share. */
import type { base58 } from '@scure/base'
import { concatBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import { compressPublicKey } from '../public-key.ts'

/** RIPEMD-160 of SHA-256, 20 bytes, as Bitcoin calls it. */
export function hash160(data: Uint8Array, digest: Digest): Uint8Array {
  return digest('ripemd160', digest('sha256', data))
}

/** HASH160 of the compressed point (BIP-141 wants it compressed; the other chains know no other form). */
export function keyHash(publicKey: Uint8Array, digest: Digest): Uint8Array {
  return hash160(compressPublicKey(publicKey), digest)
}

/** Last 20 bytes of keccak256 of the point without its first byte (Yellow Paper, appendix F). */
export function evmAccount(publicKey: Uint8Array, digest: Digest): Uint8Array {
  return digest('keccak256', publicKey.subarray(1)).subarray(12)
}

/** Version byte and data with the first 4 bytes of double SHA-256 at the end (BIP-13), in the given alphabet. */
export function base58check(version: number, data: Uint8Array, digest: Digest, alphabet: typeof base58): string {
  const payload = concatBytes(Uint8Array.of(version), data)
  const checksum = digest('sha256', digest('sha256', payload)).subarray(0, 4)
  return alphabet.encode(concatBytes(payload, checksum))
}

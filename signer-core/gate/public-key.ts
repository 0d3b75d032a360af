import { bytesToHex } from '../protocol/bytes.ts'

/** SEC 1 section 2.3.3 compressed form of an uncompressed point; an ed25519 key stays as it is. */
export function compressPublicKey(publicKey: Uint8Array): Uint8Array {
  if (publicKey.length !== 65) return publicKey
  // Not `slice`, which of a Node Buffer would be the same memory.
  const compressed = Uint8Array.from(publicKey.subarray(0, 33))
  compressed[0] = (publicKey[64] as number) & 1 ? 3 : 2
  return compressed
}

export function publicKeyHex(publicKey: Uint8Array): string {
  return bytesToHex(compressPublicKey(publicKey))
}

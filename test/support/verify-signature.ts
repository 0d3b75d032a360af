/** Checks signatures with OpenSSL (node:crypto), which no part of Keystead signs with. */
import { createPublicKey, verify } from 'node:crypto'

export interface Rsv {
  r: string
  s: string
  v: string
}

export type CurveName = 'CURVE_SECP256K1' | 'CURVE_ED25519' | 'CURVE_P256'

/** DER of SubjectPublicKeyInfo up to the compressed point (RFC 5480) or the 32 bytes (RFC 8410). */
const SPKI_HEADS: Record<CurveName, string> = {
  CURVE_SECP256K1: '3036301006072a8648ce3d020106052b8104000a032200',
  CURVE_P256: '3039301306072a8648ce3d020106082a8648ce3d030107032200',
  CURVE_ED25519: '302a300506032b6570032100',
}

/** Orders of the groups (SEC 2 sections 2.4.1 and 2.4.2). */
export const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
export const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * @param publicKey Compressed point or the 32 bytes of an ed25519 key, hex.
 * @param hash What was signed, as OpenSSL names it; none for ed25519.
 */
export function isSignatureOf(
  curve: CurveName,
  publicKey: string,
  { r, s }: Rsv,
  message: Uint8Array,
  hash: 'sha256' | 'keccak-256' | undefined,
): boolean {
  const der = Buffer.from(SPKI_HEADS[curve] + publicKey, 'hex')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  if (!/^[0-9a-f]{64}$/.test(r) || !/^[0-9a-f]{64}$/.test(s)) return false
  return verify(hash, message, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(r + s, 'hex'))
}

export function isLowS({ s }: Rsv, order: bigint): boolean {
  const value = BigInt(`0x${s}`)
  return value > 0n && value <= order / 2n
}

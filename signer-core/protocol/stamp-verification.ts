/** What a library for signatures must be given to verify a stamp: the key as DER, the hash, the bytes. */
import type { ApiKeyCurve } from './api-keys.ts'
import { concatBytes, hexToBytes, utf8ToBytes } from './bytes.ts'
import { apiKeyCurveOf, type Stamp, type StampScheme } from './stamp.ts'

/** SubjectPublicKeyInfo up to the compressed point (RFC 5480, SEC 2) or the 32 bytes (RFC 8410). */
const spkiHeads: Readonly<Record<ApiKeyCurve, string>> = {
  API_KEY_CURVE_P256: '3039301306072a8648ce3d020106082a8648ce3d030107032200',
  API_KEY_CURVE_SECP256K1: '3036301006072a8648ce3d020106052b8104000a032200',
  API_KEY_CURVE_ED25519: '302a300506032b6570032100',
}

/** OpenSSL's names; ed25519 takes the bytes themselves. */
const hashes: Readonly<Record<StampScheme, 'sha256' | 'keccak-256' | undefined>> = {
  SIGNATURE_SCHEME_TK_API_P256: 'sha256',
  SIGNATURE_SCHEME_TK_API_SECP256K1: 'sha256',
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: 'keccak-256',
  SIGNATURE_SCHEME_TK_API_ED25519: undefined,
}

export interface Verification {
  /** DER of SubjectPublicKeyInfo. */
  spki: Uint8Array
  hash: 'sha256' | 'keccak-256' | undefined
  bytes: Uint8Array
  signature: Uint8Array
}

export function verificationOf({ scheme, publicKey, signature }: Stamp, body: Uint8Array): Verification {
  return {
    spki: hexToBytes(spkiHeads[apiKeyCurveOf[scheme]] + publicKey) as Uint8Array,
    hash: hashes[scheme],
    bytes: scheme === 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191' ? personalMessage(body) : body,
    signature: hexToBytes(signature) as Uint8Array,
  }
}

/** ERC-191 version 0x45, as `personal_sign` has it. */
function personalMessage(body: Uint8Array): Uint8Array {
  return concatBytes(utf8ToBytes(`\u0019Ethereum Signed Message:\n${body.length}`), body)
}

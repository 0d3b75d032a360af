/**
 * The `X-Stamp` header: base64url of JSON `{publicKey, scheme, signature}`, a signature over the exact body bytes.
 * Both sides read it with this file; the signature itself is checked by whoever calls.
 *
 * A stamp is malleable (either half of `s` is valid), so it never serves as a key of anything.
 */
import type { ApiKeyCurve } from './api-keys.ts'
import { bytesToHex, hexToBytes } from './bytes.ts'
import { isJsonObject, parseStrictJson } from './strict-json.ts'

/** `SECP256K1_EIP191` is what wallets make: keccak-256 over prefix, length and body. */
export const stampSchemes = [
  'SIGNATURE_SCHEME_TK_API_P256',
  'SIGNATURE_SCHEME_TK_API_SECP256K1',
  'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191',
  'SIGNATURE_SCHEME_TK_API_ED25519',
] as const
export type StampScheme = (typeof stampSchemes)[number]

/** On which curve the key of a scheme lies. */
export const apiKeyCurveOf: Readonly<Record<StampScheme, ApiKeyCurve>> = {
  SIGNATURE_SCHEME_TK_API_P256: 'API_KEY_CURVE_P256',
  SIGNATURE_SCHEME_TK_API_SECP256K1: 'API_KEY_CURVE_SECP256K1',
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: 'API_KEY_CURVE_SECP256K1',
  SIGNATURE_SCHEME_TK_API_ED25519: 'API_KEY_CURVE_ED25519',
}

export function isStampScheme(scheme: string): scheme is StampScheme {
  return (stampSchemes as readonly string[]).includes(scheme)
}

export interface Stamp {
  scheme: StampScheme
  /** SEC 1 compressed point, or the 32 bytes of RFC 8032; lower-case hex. */
  publicKey: string
  /** DER of ECDSA-Sig-Value (RFC 3279), or the 64 bytes of RFC 8032; lower-case hex. */
  signature: string
}

/** Orders of P-256 and secp256k1 (SEC 2, sections 2.4.2 and 2.4.1). */
const orders = {
  API_KEY_CURVE_P256: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  API_KEY_CURVE_SECP256K1: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
} as const
const HEADER_LENGTH_MAX = 2_048

/**
 * @param header Untrusted header text; base64url with or without padding.
 * @param decodeBase64Url Bytes as a Latin-1 string, or undefined when the text is not base64url.
 * @returns undefined for anything that is not a well-formed stamp of a known scheme.
 */
export function parseStampHeader(
  header: string,
  decodeBase64Url: (text: string) => string | undefined,
): Stamp | undefined {
  if (header.length > HEADER_LENGTH_MAX) return undefined
  const json = decodeBase64Url(header)
  if (json === undefined) return undefined
  try {
    return readStamp(parseStrictJson(json))
  } catch {
    return undefined
  }
}

/** The checks that need no curve: scheme, form of the key, strict DER or 64 bytes. */
export function readStamp(value: unknown): Stamp | undefined {
  if (!isJsonObject(value)) return undefined
  const { scheme, publicKey, signature } = value
  if (typeof scheme !== 'string' || !isStampScheme(scheme)) return undefined
  if (typeof publicKey !== 'string' || typeof signature !== 'string') return undefined
  if (!/^[0-9a-fA-F]{16,144}$/.test(signature)) return undefined
  const bytes = hexToBytes(signature)
  if (bytes === undefined) return undefined
  const curve = apiKeyCurveOf[scheme]
  const isFormed =
    curve === 'API_KEY_CURVE_ED25519'
      ? /^[0-9a-f]{64}$/.test(publicKey) && bytes.length === 64
      : /^0[23][0-9a-f]{64}$/.test(publicKey) && isStrictDer(bytes, orders[curve])
  return isFormed ? { scheme, publicKey, signature: bytesToHex(bytes) } : undefined
}

/** X.690 DER of SEQUENCE { INTEGER r, INTEGER s } with 1 <= r, s < n, nothing around it. */
export function isStrictDer(der: Uint8Array, order: bigint = orders.API_KEY_CURVE_P256): boolean {
  if (der.length < 8 || der.length > 72 || der[0] !== 0x30 || der[1] !== der.length - 2) return false
  const sAt = readInteger(der, 2, order)
  return sAt !== undefined && readInteger(der, sAt, order) === der.length
}

/** Where the integer at `at` ends; undefined when it is not minimal, not positive or not below the order. */
function readInteger(der: Uint8Array, at: number, order: bigint): number | undefined {
  const length = der[at + 1] ?? 0
  const digits = der.subarray(at + 2, at + 2 + length)
  if (der[at] !== 0x02 || length === 0 || length > 33 || digits.length !== length) return undefined
  const [first = 0, second = 0] = digits
  if (first >= 0x80 || (first === 0 && length > 1 && second < 0x80)) return undefined
  const value = BigInt(`0x${bytesToHex(digits)}`)
  return value >= 1n && value < order ? at + 2 + length : undefined
}

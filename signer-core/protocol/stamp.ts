/**
 * The `X-Stamp` header: base64url of JSON `{publicKey, scheme, signature}`, an ECDSA signature over the exact
 * body bytes. Both sides read it with this file; the signature itself is checked by whoever calls.
 *
 * A stamp is malleable (either half of `s` is valid), so it never serves as a key of anything.
 */
import { bytesToHex, hexToBytes } from './bytes.ts'
import { isJsonObject, parseStrictJson } from './strict-json.ts'

export const stampSchemes = ['SIGNATURE_SCHEME_TK_API_P256'] as const
export type StampScheme = (typeof stampSchemes)[number]

export interface Stamp {
  scheme: StampScheme
  /** SEC 1 compressed point, 66 lower-case hex digits. */
  publicKey: string
  /** DER of ECDSA-Sig-Value (RFC 3279), lower-case hex. */
  signature: string
}

/** Order of P-256 (SEC 2, section 2.4.2). */
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
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

/** The checks that need no curve: scheme, compressed key, strict DER. */
export function readStamp(value: unknown): Stamp | undefined {
  if (!isJsonObject(value)) return undefined
  const { scheme, publicKey, signature } = value
  const known = stampSchemes.find((each) => each === scheme)
  if (known === undefined || typeof publicKey !== 'string' || typeof signature !== 'string') return undefined
  if (!/^0[23][0-9a-f]{64}$/.test(publicKey) || !/^[0-9a-fA-F]{16,144}$/.test(signature)) return undefined
  const der = hexToBytes(signature)
  if (der === undefined || !isStrictDer(der)) return undefined
  return { scheme: known, publicKey, signature: bytesToHex(der) }
}

/** X.690 DER of SEQUENCE { INTEGER r, INTEGER s } with 1 <= r, s < n, nothing around it. */
export function isStrictDer(der: Uint8Array): boolean {
  if (der.length < 8 || der.length > 72 || der[0] !== 0x30 || der[1] !== der.length - 2) return false
  const sAt = readInteger(der, 2)
  return sAt !== undefined && readInteger(der, sAt) === der.length
}

/** Where the integer at `at` ends; undefined when it is not minimal, not positive or not below the order. */
function readInteger(der: Uint8Array, at: number): number | undefined {
  const length = der[at + 1] ?? 0
  const digits = der.subarray(at + 2, at + 2 + length)
  if (der[at] !== 0x02 || length === 0 || length > 33 || digits.length !== length) return undefined
  const [first = 0, second = 0] = digits
  if (first >= 0x80 || (first === 0 && length > 1 && second < 0x80)) return undefined
  const value = BigInt(`0x${bytesToHex(digits)}`)
  return value >= 1n && value < P256_ORDER ? at + 2 + length : undefined
}

/** Curves of API keys: how a key is written on each, how it stamps, and what policies and clients call it. */
import { oneOf, type Schema } from './schema.ts'

interface ApiKeyCurveRow {
  /** Of the public key in hexadecimal: a SEC 1 compressed point, or the 32 bytes of RFC 8032. */
  publicKey: RegExp
  credentialType: string
}

const COMPRESSED = /^0[23][0-9a-fA-F]{64}$/

export const apiKeyCurves = {
  API_KEY_CURVE_P256: { publicKey: COMPRESSED, credentialType: 'CREDENTIAL_TYPE_API_KEY_P256' },
  API_KEY_CURVE_SECP256K1: { publicKey: COMPRESSED, credentialType: 'CREDENTIAL_TYPE_API_KEY_SECP256K1' },
  API_KEY_CURVE_ED25519: { publicKey: /^[0-9a-fA-F]{64}$/, credentialType: 'CREDENTIAL_TYPE_API_KEY_ED25519' },
} as const satisfies Record<string, ApiKeyCurveRow>

export type ApiKeyCurve = keyof typeof apiKeyCurves

export const apiKeyCurve = oneOf(Object.keys(apiKeyCurves) as ApiKeyCurve[], 'API key curve')

/** Whatever has a public key and its curve: they fit each other, and the key comes back in lower case. */
export function fittingPublicKey<T extends { curveType: ApiKeyCurve; publicKey: string }>(
  schema: Schema<T>,
): Schema<T> {
  return {
    read(value, field, violations) {
      const before = violations.length
      const read = schema.read(value, field, violations)
      if (violations.length > before) return read
      if (!apiKeyCurves[read.curveType].publicKey.test(read.publicKey)) {
        violations.push({ field: `${field}.publicKey`, description: 'invalid public key for the curve' })
      }
      return { ...read, publicKey: read.publicKey.toLowerCase() }
    },
  }
}

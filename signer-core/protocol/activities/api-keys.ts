/** API keys as several activities ask for them. */
import { apiKeyCurve, fittingPublicKey, type ApiKeyCurve } from '../api-keys.ts'
import { API_KEYS_MAX, NAME_LENGTH_MAX } from '../limits.ts'
import { always, list, object, optional, pattern, text, type Schema, type TypeOf } from '../schema.ts'

const members = {
  apiKeyName: text(NAME_LENGTH_MAX),
  publicKey: text(66),
  /** From now; absent: for ever. At most 317 years. */
  expirationSeconds: optional(pattern(/^[1-9][0-9]{0,9}$/, 'a decimal string of at most ten digits')),
}

export const apiKeyParams = fittingPublicKey(object({ ...members, curveType: apiKeyCurve }))
export type ApiKeyParams = TypeOf<typeof apiKeyParams>

/** The older form knows P-256 only. */
export const apiKeyParamsV1: Schema<ApiKeyParams> = fittingPublicKey(
  object({ ...members, curveType: always<ApiKeyCurve>('API_KEY_CURVE_P256') }),
)

export function apiKeyList(apiKey: Schema<ApiKeyParams>, { countMin = 0 } = {}): Schema<ApiKeyParams[]> {
  return list(apiKey, API_KEYS_MAX, { countMin })
}

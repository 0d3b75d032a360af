/**
 * The organization record: who may act. Everybody may read it, only the signer can make one that it will accept.
 * Format 1; the notarized text is `JSON.stringify` of the record and is kept byte for byte.
 */
import { NAME_LENGTH_MAX } from './limits.ts'
import { integer, list, object, oneOf, optional, pattern, text, type TypeOf } from './schema.ts'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const uuid = pattern(UUID, 'a UUID')

/** Limits of the wire's documentation: 100 users of an organization, 10 API keys of a user. */
const USERS_MAX = 100
const API_KEYS_MAX = 10

export const apiKeySchema = object({
  apiKeyId: uuid,
  apiKeyName: text(NAME_LENGTH_MAX),
  curveType: oneOf(['API_KEY_CURVE_P256']),
  /** SEC 1 compressed point. */
  publicKey: pattern(/^0[23][0-9a-f]{64}$/, 'a compressed public key'),
  createdAtMs: integer(0, Number.MAX_SAFE_INTEGER),
  expiresAtMs: optional(integer(0, Number.MAX_SAFE_INTEGER)),
})

export const userSchema = object({
  userId: uuid,
  userName: text(NAME_LENGTH_MAX),
  apiKeys: list(apiKeySchema, API_KEYS_MAX),
  createdAtMs: integer(0, Number.MAX_SAFE_INTEGER),
})

const rootQuorum = object({
  threshold: integer(1, USERS_MAX),
  userIds: list(uuid, USERS_MAX, { countMin: 1 }),
})

export const organizationRecordSchema = object({
  format: integer(1, 1),
  organizationId: uuid,
  organizationName: text(NAME_LENGTH_MAX),
  /** Starts at 1 and rises by one with every change. */
  version: integer(1, Number.MAX_SAFE_INTEGER),
  users: list(userSchema, USERS_MAX, { countMin: 1 }),
  rootQuorum,
  createdAtMs: integer(0, Number.MAX_SAFE_INTEGER),
  updatedAtMs: integer(0, Number.MAX_SAFE_INTEGER),
})

export type OrganizationRecord = TypeOf<typeof organizationRecordSchema>
export type User = TypeOf<typeof userSchema>
export type ApiKey = TypeOf<typeof apiKeySchema>

/** What the operator hands over to found an organization; ids and keys are made by the operator's tools. */
export const foundingSchema = object({
  organizationId: uuid,
  organizationName: text(NAME_LENGTH_MAX),
  users: list(
    object({
      userId: uuid,
      userName: text(NAME_LENGTH_MAX),
      apiKeys: list(
        object({
          apiKeyId: uuid,
          apiKeyName: text(NAME_LENGTH_MAX),
          curveType: oneOf(['API_KEY_CURVE_P256']),
          publicKey: pattern(/^0[23][0-9a-f]{64}$/, 'a compressed public key'),
        }),
        API_KEYS_MAX,
      ),
    }),
    USERS_MAX,
    { countMin: 1 },
  ),
  rootQuorum,
})
export type Founding = TypeOf<typeof foundingSchema>

export interface Credential {
  user: User
  apiKey: ApiKey
}

/** The user and API key behind a public key (compressed, lower-case hex). */
export function findCredential(record: OrganizationRecord, publicKey: string): Credential | undefined {
  for (const user of record.users) {
    const apiKey = user.apiKeys.find((each) => each.publicKey === publicKey)
    if (apiKey !== undefined) return { user, apiKey }
  }
  return undefined
}

export function isExpired(apiKey: ApiKey, nowMs: number): boolean {
  return apiKey.expiresAtMs !== undefined && nowMs >= apiKey.expiresAtMs
}

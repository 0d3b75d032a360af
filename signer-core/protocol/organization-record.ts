/**
 * The organization record: who may do what. Everybody may read it, only the signer can make one that it will accept.
 * Format 2; the notarized text is `JSON.stringify` of the record and is kept byte for byte. Format 1 was never released
 * and is not read.
 */
import { apiKeyCurve, fittingPublicKey, type ApiKeyCurve } from './api-keys.ts'
import {
  API_KEYS_MAX,
  FEATURES_MAX,
  NAME_LENGTH_MAX,
  POLICIES_MAX,
  PRIVATE_KEYS_PER_TAG_MAX,
  TAGS_MAX,
  TEXT_LENGTH_MAX,
  USERS_MAX,
} from './limits.ts'
import { integer, list, object, oneOf, optional, pattern, text, type Schema, type TypeOf } from './schema.ts'
import { apiKeyCurveOf, type StampScheme } from './stamp.ts'

export const RECORD_FORMAT = 2

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const uuid = pattern(UUID, 'a UUID')

/** Milliseconds since the epoch. */
const timeMs = integer(0, Number.MAX_SAFE_INTEGER)
const times = { createdAtMs: timeMs, updatedAtMs: timeMs }
const name = text(NAME_LENGTH_MAX)
const emptyText = (lengthMax: number) => text(lengthMax, { emptyAllowed: true })

export const apiKeySchema = fittingPublicKey(
  object({
    apiKeyId: uuid,
    apiKeyName: name,
    curveType: apiKeyCurve,
    /** Lower-case hexadecimal, see `api-keys.ts`. */
    publicKey: text(66),
    ...times,
    expiresAtMs: optional(timeMs),
    /** As it was asked for; decimal. */
    expirationSeconds: optional(text(16)),
  }),
)

export const userSchema = object({
  userId: uuid,
  userName: name,
  userEmail: optional(name),
  userPhoneNumber: optional(name),
  userTags: list(uuid, TAGS_MAX),
  apiKeys: list(apiKeySchema, API_KEYS_MAX),
  ...times,
})

const rootQuorum = object({
  threshold: integer(1, USERS_MAX),
  userIds: list(uuid, USERS_MAX, { countMin: 1 }),
})

export const policyEffect = oneOf(['EFFECT_ALLOW', 'EFFECT_DENY'], 'effect')

/** Expressions are empty where not set, and they have been checked. */
export const policySchema = object({
  policyId: uuid,
  policyName: name,
  effect: policyEffect,
  condition: emptyText(TEXT_LENGTH_MAX),
  consensus: emptyText(TEXT_LENGTH_MAX),
  time: emptyText(TEXT_LENGTH_MAX),
  notes: emptyText(TEXT_LENGTH_MAX),
  ...times,
})

const tag = { tagId: uuid, tagName: name, ...times }

export const organizationRecordSchema = object({
  format: integer(RECORD_FORMAT, RECORD_FORMAT),
  organizationId: uuid,
  /** Of a sub-organization only. */
  parentOrganizationId: optional(uuid),
  organizationName: name,
  /** Starts at 1 and rises by one with every change. */
  version: integer(1, Number.MAX_SAFE_INTEGER),
  users: list(userSchema, USERS_MAX, { countMin: 1 }),
  rootQuorum,
  policies: list(policySchema, POLICIES_MAX),
  userTags: list(object(tag), TAGS_MAX),
  /** Which keys have a tag stands here and not with the key, so that it is under the seal. */
  privateKeyTags: list(object({ ...tag, privateKeyIds: list(uuid, PRIVATE_KEYS_PER_TAG_MAX) }), TAGS_MAX),
  features: list(object({ name, value: optional(emptyText(TEXT_LENGTH_MAX)) }), FEATURES_MAX),
  ...times,
  /** A deleted sub-organization: from then on everything is refused. */
  deletedAtMs: optional(timeMs),
})

export type OrganizationRecord = TypeOf<typeof organizationRecordSchema>
export type User = TypeOf<typeof userSchema>
export type ApiKey = TypeOf<typeof apiKeySchema>
export type Policy = TypeOf<typeof policySchema>

/** P-256 unless it says so: tools that know nothing else leave it out. */
const foundingCurve: Schema<ApiKeyCurve> = {
  read: (value, field, violations) => apiKeyCurve.read(value ?? 'API_KEY_CURVE_P256', field, violations),
}

/** What the operator hands over to found an organization; ids and keys are made by the operator's tools. */
export const foundingSchema = object({
  organizationId: uuid,
  organizationName: name,
  users: list(
    object({
      userId: uuid,
      userName: name,
      apiKeys: list(
        fittingPublicKey(object({ apiKeyId: uuid, apiKeyName: name, curveType: foundingCurve, publicKey: text(66) })),
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

/** The user and API key behind a stamp. A point may be a key on two curves, so the scheme counts. */
export function findCredential(
  record: OrganizationRecord,
  { scheme, publicKey }: { scheme: StampScheme; publicKey: string },
): Credential | undefined {
  const curve = apiKeyCurveOf[scheme]
  for (const user of record.users) {
    const apiKey = user.apiKeys.find((each) => each.publicKey === publicKey && each.curveType === curve)
    if (apiKey !== undefined) return { user, apiKey }
  }
  return undefined
}

export function isExpired(apiKey: ApiKey, nowMs: number): boolean {
  return apiKey.expiresAtMs !== undefined && nowMs >= apiKey.expiresAtMs
}

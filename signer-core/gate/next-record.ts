/** The next version of an organization record: whatever changed, it must be one with which people can go on. */
import type { PolicyField } from '../../policies/facts/schema.ts'
import { policyFields } from '../../policies/policy.ts'
import { utf8ToBytes } from '../protocol/bytes.ts'
import {
  API_KEYS_MAX,
  FEATURES_MAX,
  ORGANIZATION_RECORD_BYTES_MAX,
  POLICIES_MAX,
  POLICIES_LENGTH_MAX,
  PRIVATE_KEYS_PER_TAG_MAX,
  TAGS_MAX,
  USERS_MAX,
} from '../protocol/limits.ts'
import { isExpired, type OrganizationRecord } from '../protocol/organization-record.ts'
import { RefusalError, type RefusalCode } from '../protocol/refusals.ts'
import type { PlanContext } from './operation.ts'

/**
 * @throws {RefusalError} `LIMIT_REACHED`, `PUBLIC_KEY_TAKEN`, `TAG_NOT_FOUND`, `ROOT_QUORUM_INVALID`.
 */
export function nextRecord(
  { organization, nowMs }: PlanContext,
  changes: Partial<OrganizationRecord>,
): OrganizationRecord {
  const next = { ...organization, ...changes, version: organization.version + 1, updatedAtMs: nowMs }
  checkRecord(next, nowMs)
  return next
}

/** The same for the first version. */
export function checkRecord(record: OrganizationRecord, nowMs: number): void {
  checkLimits(record)
  checkUsers(record)
  checkRootQuorum(record, nowMs)
}

function checkLimits({ users, policies, userTags, privateKeyTags, features, ...rest }: OrganizationRecord): void {
  limit(users.length, USERS_MAX, 'users')
  for (const { apiKeys } of users) limit(apiKeys.length, API_KEYS_MAX, 'API keys of a user')
  limit(policies.length, POLICIES_MAX, 'policies')
  limit(expressionsLength(policies), POLICIES_LENGTH_MAX, 'characters of all policies')
  limit(userTags.length, TAGS_MAX, 'user tags')
  limit(privateKeyTags.length, TAGS_MAX, 'private key tags')
  for (const { privateKeyIds } of privateKeyTags) {
    limit(privateKeyIds.length, PRIVATE_KEYS_PER_TAG_MAX, 'private keys with one tag')
  }
  limit(features.length, FEATURES_MAX, 'features')
  const text = JSON.stringify({ users, policies, userTags, privateKeyTags, features, ...rest })
  limit(utf8ToBytes(text).length, ORGANIZATION_RECORD_BYTES_MAX, 'bytes of an organization')
}

/** In UTF-16 units. */
export function expressionsLength(policies: readonly { [field in PolicyField]?: string | undefined }[]): number {
  const lengths = policies.flatMap((policy) => policyFields.map((field) => policy[field]?.length ?? 0))
  return lengths.reduce((sum, length) => sum + length, 0)
}

function limit(count: number, max: number, what: string): void {
  if (count > max) throw new RefusalError('LIMIT_REACHED', `at most ${max} ${what}`)
}

function checkUsers({ users, userTags }: OrganizationRecord): void {
  const credentials = users.flatMap(({ apiKeys }) => apiKeys.map((each) => `${each.curveType} ${each.publicKey}`))
  refuseUnless(new Set(credentials).size === credentials.length, 'PUBLIC_KEY_TAKEN', 'public key is taken')
  const tagIds = new Set(userTags.map(({ tagId }) => tagId))
  const named = users.flatMap((user) => user.userTags)
  refuseUnless(
    named.every((tagId) => tagIds.has(tagId)),
    'TAG_NOT_FOUND',
    'no user tag found with the given id',
  )
}

/** Its members exist, and as many as it takes can still stamp: otherwise nobody could ever mend the organization. */
function checkRootQuorum({ users, rootQuorum, deletedAtMs }: OrganizationRecord, nowMs: number): void {
  if (deletedAtMs !== undefined) return
  const { threshold, userIds } = rootQuorum
  const members = users.filter(({ userId }) => userIds.includes(userId))
  const isInvalid = members.length !== userIds.length || threshold > userIds.length
  refuseUnless(
    !isInvalid,
    'ROOT_QUORUM_INVALID',
    'the root quorum needs users that exist, each once, and enough of them',
  )
  const able = members.filter(({ apiKeys }) => apiKeys.some((each) => !isExpired(each, nowMs)))
  const message = 'too few members of the root quorum would have an API key'
  refuseUnless(able.length >= threshold, 'ROOT_QUORUM_INVALID', message)
}

function refuseUnless(holds: boolean, code: RefusalCode, message: string): void {
  if (!holds) throw new RefusalError(code, message)
}

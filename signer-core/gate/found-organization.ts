/** The first version of an organization record. Reached by the operator's socket only. */
import { foundingSchema, RECORD_FORMAT } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { parse } from '../protocol/schema.ts'
import { JsonError, parseStrictJson } from '../protocol/strict-json.ts'
import { notarizeOrganization } from './organization.ts'
import type { Notarized } from './wit-types.ts'

/** @param founding JSON as `foundingSchema` says. @throws {RefusalError} `PARAMETERS_INVALID`. */
export function foundOrganization(founding: string, nowMs: number | bigint): Notarized {
  const parsed = parse(foundingSchema, parseFounding(founding))
  if (!parsed.ok) {
    const [first] = parsed.violations
    throw new RefusalError('PARAMETERS_INVALID', first?.description ?? '', first?.field)
  }
  const { organizationId, organizationName, users, rootQuorum } = parsed.value
  refuseContradictions(parsed.value)
  const times = { createdAtMs: Number(nowMs), updatedAtMs: Number(nowMs) }
  return notarizeOrganization({
    format: RECORD_FORMAT,
    organizationId,
    parentOrganizationId: undefined,
    organizationName,
    version: 1,
    users: users.map((user) => ({
      ...user,
      userEmail: undefined,
      userPhoneNumber: undefined,
      userTags: [],
      apiKeys: user.apiKeys.map((each) => ({
        ...each,
        expiresAtMs: undefined,
        expirationSeconds: undefined,
        ...times,
      })),
      ...times,
    })),
    rootQuorum,
    policies: [],
    userTags: [],
    privateKeyTags: [],
    features: [],
    ...times,
    deletedAtMs: undefined,
  })
}

function parseFounding(founding: string) {
  try {
    return parseStrictJson(founding)
  } catch (error) {
    if (error instanceof JsonError) throw new RefusalError('PARAMETERS_INVALID', 'not strict JSON')
    throw error
  }
}

function refuseContradictions({ users, rootQuorum }: import('../protocol/organization-record.ts').Founding): void {
  const refuse = (field: string, message: string) => {
    throw new RefusalError('PARAMETERS_INVALID', message, field)
  }
  const userIds = users.map((user) => user.userId)
  const apiKeys = users.flatMap((user) => user.apiKeys)
  if (new Set(userIds).size !== userIds.length) refuse('users', 'duplicate user id')
  if (new Set(apiKeys.map((each) => each.publicKey)).size !== apiKeys.length) refuse('users', 'duplicate public key')
  if (new Set(apiKeys.map((each) => each.apiKeyId)).size !== apiKeys.length) refuse('users', 'duplicate API key id')
  if (!rootQuorum.userIds.every((userId) => userIds.includes(userId))) refuse('rootQuorum.userIds', 'unknown user')
  if (new Set(rootQuorum.userIds).size !== rootQuorum.userIds.length) refuse('rootQuorum.userIds', 'duplicate user id')
  if (rootQuorum.threshold > rootQuorum.userIds.length) refuse('rootQuorum.threshold', 'threshold above the members')
}

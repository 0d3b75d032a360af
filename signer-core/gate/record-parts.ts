/** Finding and replacing parts of an organization record. Records are never changed in place: they are cached. */
import type { OrganizationRecord, Policy, User } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'

export type Tags = 'userTags' | 'privateKeyTags'

/** @throws {RefusalError} `USER_NOT_FOUND`. */
export function userOfId({ users }: OrganizationRecord, userId: string, field: string): User {
  const user = users.find((each) => each.userId === userId)
  if (user === undefined) throw new RefusalError('USER_NOT_FOUND', 'no user found with the given id', field)
  return user
}

/** @throws {RefusalError} `POLICY_NOT_FOUND`. */
export function policyOfId({ policies }: OrganizationRecord, policyId: string, field: string): Policy {
  const policy = policies.find((each) => each.policyId === policyId)
  if (policy === undefined) throw new RefusalError('POLICY_NOT_FOUND', 'no policy found with the given id', field)
  return policy
}

/** @throws {RefusalError} `TAG_NOT_FOUND`. */
export function tagOfId<K extends Tags>(
  record: OrganizationRecord,
  kind: K,
  tagId: string,
  field: string,
): OrganizationRecord[K][number] {
  const tags: OrganizationRecord[K][number][] = record[kind]
  const tag = tags.find((each) => each.tagId === tagId)
  if (tag === undefined) throw new RefusalError('TAG_NOT_FOUND', 'no tag found with the given id', field)
  return tag
}

/** The users with one of them changed. */
export function withUser({ users }: OrganizationRecord, changed: User): User[] {
  return users.map((each) => (each.userId === changed.userId ? changed : each))
}

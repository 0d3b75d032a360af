/** Tags of private keys live in the organization record, so what makes, tags or deletes keys may change it. */
import type { OrganizationRecord } from '../protocol/organization-record.ts'
import { tagOfId } from './record-parts.ts'

type PrivateKeyTags = OrganizationRecord['privateKeyTags']

/** @throws {RefusalError} `TAG_NOT_FOUND`. */
export function withTagged(
  organization: OrganizationRecord,
  keys: { keyId: string; tagIds: string[]; field: string }[],
  nowMs: number,
): PrivateKeyTags {
  for (const { tagIds, field } of keys) {
    tagIds.forEach((tagId, i) => tagOfId(organization, 'privateKeyTags', tagId, `${field}.${i}`))
  }
  return organization.privateKeyTags.map((tag) => {
    const fresh = keys.filter(({ tagIds }) => tagIds.includes(tag.tagId)).map(({ keyId }) => keyId)
    return fresh.length === 0 ? tag : { ...tag, privateKeyIds: [...tag.privateKeyIds, ...fresh], updatedAtMs: nowMs }
  })
}

/** @returns undefined when none of the keys has a tag. */
export function withoutKeys(
  { privateKeyTags }: OrganizationRecord,
  keyIds: string[],
  nowMs: number,
): PrivateKeyTags | undefined {
  const isGone = (keyId: string) => keyIds.includes(keyId)
  if (!privateKeyTags.some(({ privateKeyIds }) => privateKeyIds.some(isGone))) return undefined
  return privateKeyTags.map((tag) => {
    const left = tag.privateKeyIds.filter((keyId) => !isGone(keyId))
    return left.length === tag.privateKeyIds.length ? tag : { ...tag, privateKeyIds: left, updatedAtMs: nowMs }
  })
}

/** Users, API keys, policies and tags of a record as the wire shows them. */
import { apiKeyCurves } from '../../signer-core/protocol/api-keys.ts'
import type { ApiKey, OrganizationRecord, Policy, User } from '../../signer-core/protocol/organization-record.ts'
import { presentTime } from '../http/present-time.ts'

interface Timed {
  createdAtMs: number
  updatedAtMs: number
}

function presentTimes({ createdAtMs, updatedAtMs }: Timed) {
  return { createdAt: presentTime(createdAtMs), updatedAt: presentTime(updatedAtMs) }
}

export function presentUser(user: User): object {
  const { userId, userName, userEmail, userPhoneNumber, userTags, apiKeys } = user
  return {
    userId,
    userName,
    ...(userEmail !== undefined && { userEmail }),
    ...(userPhoneNumber !== undefined && { userPhoneNumber }),
    authenticators: [],
    apiKeys: apiKeys.map(presentApiKey),
    userTags,
    oauthProviders: [],
    ...presentTimes(user),
    mfaPolicies: [],
  }
}

export function presentApiKey(apiKey: ApiKey): object {
  const { apiKeyId, apiKeyName, curveType, publicKey, expirationSeconds } = apiKey
  return {
    credential: { publicKey, type: apiKeyCurves[curveType].credentialType },
    apiKeyId,
    apiKeyName,
    ...presentTimes(apiKey),
    ...(expirationSeconds !== undefined && { expirationSeconds }),
  }
}

export function presentPolicy(policy: Policy): object {
  const { policyId, policyName, effect, notes, consensus, condition, time } = policy
  return { policyId, policyName, effect, notes, consensus, condition, time, ...presentTimes(policy) }
}

type Tag = OrganizationRecord['userTags'][number]

export function presentTag(tag: Tag, tagType: 'TAG_TYPE_USER' | 'TAG_TYPE_PRIVATE_KEY'): object {
  const { tagId, tagName } = tag
  return { tagId, tagName, tagType, ...presentTimes(tag) }
}

/** Users and API keys that an activity brings forth. */
import type { ApiKeyParams } from '../protocol/activities/api-keys.ts'
import type { UserParams } from '../protocol/activities/users.ts'
import type { ApiKey, User } from '../protocol/organization-record.ts'

export function newApiKey({ expirationSeconds, ...params }: ApiKeyParams, apiKeyId: string, nowMs: number): ApiKey {
  return {
    apiKeyId,
    ...params,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: expirationSeconds === undefined ? undefined : nowMs + Number(expirationSeconds) * 1_000,
    expirationSeconds,
  }
}

/** @param nextId Gives ids, the user's first. */
export function newUser({ userTags, apiKeys, ...params }: UserParams, nextId: () => string, nowMs: number): User {
  return {
    userId: nextId(),
    userName: params.userName,
    userEmail: orAbsent(params.userEmail),
    userPhoneNumber: orAbsent(params.userPhoneNumber),
    userTags: [...new Set(userTags)],
    apiKeys: apiKeys.map((each) => newApiKey(each, nextId(), nowMs)),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
}

/** Clients send an empty text where they have none. */
export function orAbsent(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

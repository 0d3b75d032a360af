/** Users of a running service, each with an API key of their own and the unmodified SDK. */
import { newApiKeyPair, type ApiKeyPair } from '../../cli/api-key-pair.ts'
import { turnkeyClient } from '../clients/turnkey-client.ts'

export type Api = ReturnType<typeof turnkeyClient>

export interface Person {
  userId: string
  key: ApiKeyPair
  api: Api
}

export function apiOf(baseUrl: string, organizationId: string, key: ApiKeyPair): Api {
  return turnkeyClient({ baseUrl, organizationId, apiPublicKey: key.publicKey, apiPrivateKey: key.privateKey })
}

/** An API key as createUsers and createApiKeys take it. */
export function apiKeyParams({ publicKey }: ApiKeyPair, expirationSeconds?: string) {
  const base = { apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' } as const
  return expirationSeconds === undefined ? base : { ...base, expirationSeconds }
}

export function userParams(userName: string, key: ApiKeyPair, userTags: string[] = []) {
  return { userName, apiKeys: [apiKeyParams(key)], authenticators: [], oauthProviders: [], userTags }
}

/** Has the root user of an organization make users. */
export async function newPeople(
  root: Api,
  { baseUrl, organizationId }: { baseUrl: string; organizationId: string },
  names: readonly string[],
): Promise<Person[]> {
  const keys = names.map(() => newApiKeyPair())
  const users = names.map((name, i) => userParams(name, keys[i] as ApiKeyPair))
  const { userIds } = await root.createUsers({ users })
  return keys.map((key, i) => ({ userId: userIds[i] as string, key, api: apiOf(baseUrl, organizationId, key) }))
}

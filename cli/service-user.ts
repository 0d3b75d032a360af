/**
 * A service user of the operator's organization: not of its root, with one API key and policies of its own. What is there
 * already is found and kept, so that whatever was cut off, or needed approvals, is carried on by doing it again.
 */
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ApiClient, Credentials } from './api-client.ts'
import { newApiKeyPair } from './api-key-pair.ts'
import { CliError } from './cli-error.ts'
import type { PolicyDocument } from './policy-document.ts'
import { writePrivateFile } from './private-file.ts'
import { syncPolicies } from './sync-policies.ts'

const fileSchema = z.object({
  organizationId: z.string(),
  apiPublicKey: z.string(),
  apiPrivateKey: z.string(),
  /** Part of the identity of the activities that make the user: whoever makes it again gets the same ones. */
  createdAtMs: z.number().int(),
})
export type ServiceCredentials = z.infer<typeof fileSchema>

interface User {
  userId: string
  userName: string
  apiKeys: { credential: { publicKey: string } }[]
}

/**
 * Those of the file, or new ones: they are in the file before anybody is told of them.
 * @throws {CliError} for a file that holds something else.
 */
export function serviceCredentials(path: string, organizationId: string): ServiceCredentials {
  if (!existsSync(path)) {
    const { publicKey: apiPublicKey, privateKey: apiPrivateKey } = newApiKeyPair()
    const fresh: ServiceCredentials = { organizationId, apiPublicKey, apiPrivateKey, createdAtMs: Date.now() }
    writePrivateFile(path, fresh)
  }
  const credentials = readCredentials(path)
  if (credentials?.organizationId === organizationId) return credentials
  throw new CliError(`${path} does not hold a service key of this organization`)
}

function readCredentials(path: string): ServiceCredentials | undefined {
  try {
    return fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  } catch {
    return undefined
  }
}

/**
 * The user first, then what it may do, and its key last: from the moment at which the key is known it may do all that it
 * is meant to.
 * @param root Of the organization. @param policiesFor Of the user with this id.
 * @throws {CliError} when the service says no.
 */
export async function setUpServiceUser(
  root: ApiClient,
  userName: string,
  { apiPublicKey, createdAtMs }: Credentials & Pick<ServiceCredentials, 'createdAtMs'>,
  policiesFor: (userId: string) => PolicyDocument[],
): Promise<string> {
  const user = await userOf(root, userName, createdAtMs)
  const hasKey = user.apiKeys.some(({ credential }) => credential.publicKey === apiPublicKey)
  // Of the first time the time is stored; later changes are new ones.
  await syncPolicies(root, policiesFor(user.userId), hasKey ? Date.now() : createdAtMs)
  if (hasKey) return user.userId
  const apiKey = { apiKeyName: userName, publicKey: apiPublicKey, curveType: 'API_KEY_CURVE_P256' }
  const parameters = { userId: user.userId, apiKeys: [apiKey] }
  await root.submit('ACTIVITY_TYPE_CREATE_API_KEYS_V2', parameters, createdAtMs)
  return user.userId
}

async function userOf(root: ApiClient, userName: string, createdAtMs: number): Promise<User> {
  const known = await findUser(root, userName)
  if (known !== undefined) return known
  const users = [{ userName, userTags: [], apiKeys: [], authenticators: [], oauthProviders: [] }]
  await root.submit('ACTIVITY_TYPE_CREATE_USERS_V4', { users }, createdAtMs)
  const made = await findUser(root, userName)
  if (made !== undefined) return made
  throw new CliError(`the user ${userName} of this key file was deleted: take another key file`)
}

/** @throws {CliError} for a root user, whom no policy binds. */
async function findUser(root: ApiClient, userName: string): Promise<User | undefined> {
  const { users } = await root.query<{ users: User[] }>('list_users')
  const found = users.find((user) => user.userName === userName)
  if (found === undefined) return undefined
  const { configs } = await root.query<{ configs: { quorum: { userIds: string[] } } }>('get_organization_configs')
  if (!configs.quorum.userIds.includes(found.userId)) return found
  throw new CliError(`${userName} is a root user: no policy binds it`)
}

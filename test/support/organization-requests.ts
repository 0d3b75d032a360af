/** A genuine request of each activity type about the organization itself, for the built gate. */
import { createHash, randomUUID } from 'node:crypto'
import type { ActivityTypeName } from '../../signer-core/protocol/activity-types.ts'
import type { organizationActivityTypes } from '../../signer-core/protocol/organization-activity-types.ts'
import type { Bench, GateRequest } from './component.ts'

type VoteTypeName = 'ACTIVITY_TYPE_APPROVE_ACTIVITY' | 'ACTIVITY_TYPE_REJECT_ACTIVITY'
export type VotelessTypeName = Exclude<ActivityTypeName, VoteTypeName>
type OrganizationTypeName = Exclude<keyof typeof organizationActivityTypes, VoteTypeName>

/** A compressed key that nobody else has. */
export function freshPublicKey(): string {
  return `02${createHash('sha256').update(randomUUID()).digest('hex')}`
}

export function apiKeyParams(publicKey = freshPublicKey()): object {
  return { apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }
}

export function userParams(userName = 'user', apiKeys = [apiKeyParams()], userTags: string[] = []): object {
  return { userName, apiKeys, authenticators: [], oauthProviders: [], userTags }
}

/** The single member of an outcome's result. */
// oxlint-disable-next-line no-explicit-any -- each type has its own
export function resultOf({ result }: { result: string }): any {
  return Object.values(JSON.parse(result) as object)[0]
}

const policy = { policyName: 'p', effect: 'EFFECT_ALLOW', condition: "activity.kind == 'X'", notes: '' }
const rootUsers = () => ({ rootUsers: [userParams('root')], rootQuorumThreshold: 1 })
const account = {
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
}
const privateKeys = [{ privateKeyName: 'k', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }]

/** Leaves the organization with a second user, a policy and a tag of each kind. */
export function organizationRequestsOf(bench: Bench): Record<OrganizationTypeName, () => GateRequest> {
  const { userIds } = resultOf(
    bench.change('ACTIVITY_TYPE_CREATE_USERS_V4', { users: [userParams('second', [apiKeyParams(), apiKeyParams()])] }),
  )
  const [userId] = userIds
  const apiKeyId = bench.record.users.at(-1)?.apiKeys[0]?.apiKeyId as string
  const { policyId } = resultOf(bench.change('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
  const userTag = bench.change('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 't', userIds: [] })
  const { userTagId } = resultOf(userTag)
  const { key } = bench.create('CURVE_P256')
  const keyTag = { privateKeyTagName: 't', privateKeyIds: [key.keyId] }
  const { privateKeyTagId } = resultOf(bench.change('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', keyTag, [key]))
  const rootUserId = bench.record.rootQuorum.userIds[0] as string

  const requests = {
    CREATE_API_KEYS_V2: () => ({ userId, apiKeys: [apiKeyParams()] }),
    CREATE_API_KEYS: () => ({ userId, apiKeys: [{ apiKeyName: 'key', publicKey: freshPublicKey() }] }),
    DELETE_API_KEYS: () => ({ userId, apiKeyIds: [apiKeyId] }),
    CREATE_USERS_V4: () => ({ users: [userParams()] }),
    CREATE_USERS_V3: () => ({ users: [userParams()] }),
    CREATE_USERS_V2: () => ({ users: [userParams()] }),
    CREATE_USERS: () => ({ users: [{ ...userParams(), accessType: 'ACCESS_TYPE_ALL' }] }),
    CREATE_API_ONLY_USERS: () => ({ apiOnlyUsers: [{ userName: 'u', userTags: [], apiKeys: [apiKeyParams()] }] }),
    UPDATE_USER: () => ({ userId, userName: 'new', userEmail: 'a@example.org', userTagIds: [userTagId] }),
    UPDATE_USER_NAME: () => ({ userId, userName: 'new' }),
    UPDATE_USER_EMAIL: () => ({ userId, userEmail: 'b@example.org' }),
    UPDATE_USER_PHONE_NUMBER: () => ({ userId, userPhoneNumber: '+15550100' }),
    DELETE_USERS: () => ({ userIds }),
    CREATE_POLICY_V3: () => policy,
    CREATE_POLICIES: () => ({ policies: [policy, policy] }),
    UPDATE_POLICY_V2: () => ({ policyId, policyName: 'q' }),
    UPDATE_POLICY: () => ({ policyId, policyEffect: 'EFFECT_DENY' }),
    DELETE_POLICY: () => ({ policyId }),
    DELETE_POLICIES: () => ({ policyIds: [policyId] }),
    CREATE_SUB_ORGANIZATION_V8: () => ({ subOrganizationName: 's', ...rootUsers() }),
    CREATE_SUB_ORGANIZATION_V7: () => ({ subOrganizationName: 's', ...rootUsers(), wallet: wallet() }),
    CREATE_SUB_ORGANIZATION_V6: () => ({ subOrganizationName: 's', ...rootUsers() }),
    CREATE_SUB_ORGANIZATION_V5: () => ({ subOrganizationName: 's', ...rootUsers() }),
    CREATE_SUB_ORGANIZATION_V4: () => ({ subOrganizationName: 's', ...rootUsers() }),
    CREATE_SUB_ORGANIZATION_V3: () => ({ subOrganizationName: 's', ...rootUsers(), privateKeys }),
    CREATE_SUB_ORGANIZATION_V2: () => ({ subOrganizationName: 's', ...rootUsers() }),
    UPDATE_ROOT_QUORUM: () => ({ threshold: 2, userIds: [rootUserId, userId] }),
    UPDATE_ORGANIZATION_NAME: () => ({ organizationName: 'New' }),
    SET_ORGANIZATION_FEATURE: () => ({ name: 'FEATURE_NAME_EMAIL_AUTH', value: '' }),
    REMOVE_ORGANIZATION_FEATURE: () => ({ name: 'FEATURE_NAME_EMAIL_AUTH' }),
    UPDATE_PRIVATE_KEY_TAG: () => ({ privateKeyTagId, addPrivateKeyIds: [], removePrivateKeyIds: [key.keyId] }),
    DELETE_PRIVATE_KEY_TAGS: () => ({ privateKeyTagIds: [privateKeyTagId] }),
    CREATE_USER_TAG: () => ({ userTagName: 't', userIds: [userId] }),
    UPDATE_USER_TAG: () => ({ userTagId, addUserIds: [userId], removeUserIds: [] }),
    DELETE_USER_TAGS: () => ({ userTagIds: [userTagId] }),
  }
  const wallet = () => ({ walletName: 'w', accounts: [account] })
  const ofOrganization = Object.fromEntries(
    Object.entries(requests).map(([name, parametersOf]) => {
      const type = `ACTIVITY_TYPE_${name}`
      return [type, () => bench.request(type, parametersOf())]
    }),
  ) as Record<`ACTIVITY_TYPE_${keyof typeof requests}`, () => GateRequest>
  return {
    ...ofOrganization,
    ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG: () => bench.request('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', keyTag, [key]),
    ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION: () => deletionOfNew(bench),
  }
}

/** Of a sub-organization that is made for it, by its own root user. */
function deletionOfNew(bench: Bench): GateRequest {
  const publicKey = freshPublicKey()
  const parameters = { subOrganizationName: 's', rootUsers: [userParams('r', [apiKeyParams(publicKey)])] }
  const creating = bench.request('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', { ...parameters, rootQuorumThreshold: 1 })
  const { newOrganization } = bench.component.gate.perform(creating)
  if (newOrganization === undefined) throw new Error('no sub-organization')
  const { organizationId } = JSON.parse(newOrganization.text) as { organizationId: string }
  const type = 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION'
  const body = JSON.stringify({ type, timestampMs: '1', organizationId, parameters: { deleteWithoutExport: true } })
  return bench.request(type, {}, [], { body, organization: newOrganization, stampPublicKey: publicKey })
}

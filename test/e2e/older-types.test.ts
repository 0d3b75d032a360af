/** Types and parameters of released clients, newest and oldest: each is carried, and answered with the type that was sent. */
import test from 'ava'
import { newApiKeyPair } from '../../cli/api-key-pair.ts'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'

/** The reference engine takes seconds for a wallet. */
const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '60000', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }
const service = await startService({ environment })
test.after.always(() => service.dispose())
const { dev } = service
const root = new Client(dev.baseUrl, dev)

const keyV1 = () => ({ apiKeyName: 'k', publicKey: newApiKeyPair().publicKey })
const keyV2 = () => ({ ...keyV1(), curveType: 'API_KEY_CURVE_P256' })
const none = { authenticators: [], oauthProviders: [] }
const user = (apiKey: object) => ({ userName: 'u', userEmail: null, apiKeys: [apiKey], ...none })
const tagged = (apiKey: object) => ({ ...user(apiKey), userTags: [] })
const account = {
  curve: 'CURVE_ED25519',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/501'/0'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA',
}
const wallet = { walletName: 'w', accounts: [account] }
const privateKey = { privateKeyName: 'k', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }
const sub = (apiKey: object, more: object = {}) => ({
  subOrganizationName: 's',
  rootUsers: [user(apiKey)],
  rootQuorumThreshold: 1,
  ...more,
})

let userId = ''
let policyId = ''
test.before(async () => {
  const users = await root.submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users: [tagged(keyV2())] })
  userId = users.json.activity.result.createUsersResult.userIds[0]
  const policy = { policyName: 'p', effect: 'EFFECT_DENY', condition: '1 == 2', notes: '' }
  const created = await root.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', policy)
  policyId = created.json.activity.result.createPolicyResult.policyId
})

/** Path, type without its prefix, parameters, result. */
const accepted: [path: string, type: string, parameters: () => object, result: string][] = [
  ['create_api_keys', 'CREATE_API_KEYS', () => ({ userId, apiKeys: [keyV1()] }), 'createApiKeysResult'],
  ['create_api_keys', 'CREATE_API_KEYS_V2', () => ({ userId, apiKeys: [keyV2()] }), 'createApiKeysResult'],
  [
    'create_users',
    'CREATE_USERS',
    () => ({ users: [{ ...tagged(keyV1()), accessType: 'ACCESS_TYPE_API' }] }),
    'createUsersResult',
  ],
  ['create_users', 'CREATE_USERS_V2', () => ({ users: [tagged(keyV1())] }), 'createUsersResult'],
  ['create_users', 'CREATE_USERS_V3', () => ({ users: [tagged(keyV2())] }), 'createUsersResult'],
  [
    'create_api_only_users',
    'CREATE_API_ONLY_USERS',
    () => ({ apiOnlyUsers: [{ userName: 'u', userTags: [], apiKeys: [keyV1()] }] }),
    'createApiOnlyUsersResult',
  ],
  ['update_policy', 'UPDATE_POLICY', () => ({ policyId, policyName: 'v1' }), 'updatePolicyResult'],
  ['update_policy', 'UPDATE_POLICY_V2', () => ({ policyId, policyName: 'v2' }), 'updatePolicyResultV2'],
  ['create_sub_organization', 'CREATE_SUB_ORGANIZATION_V2', () => sub(keyV1()), 'createSubOrganizationResult'],
  [
    'create_sub_organization',
    'CREATE_SUB_ORGANIZATION_V3',
    () => sub(keyV1(), { privateKeys: [privateKey] }),
    'createSubOrganizationResultV3',
  ],
  [
    'create_sub_organization',
    'CREATE_SUB_ORGANIZATION_V4',
    () => sub(keyV1(), { wallet }),
    'createSubOrganizationResultV4',
  ],
  [
    'create_sub_organization',
    'CREATE_SUB_ORGANIZATION_V5',
    () => sub(keyV1(), { wallet }),
    'createSubOrganizationResultV5',
  ],
  [
    'create_sub_organization',
    'CREATE_SUB_ORGANIZATION_V6',
    () => sub(keyV2(), { wallet }),
    'createSubOrganizationResultV6',
  ],
  [
    'create_sub_organization',
    'CREATE_SUB_ORGANIZATION_V7',
    () => sub(keyV2(), { wallet, disableEmailAuth: true }),
    'createSubOrganizationResultV7',
  ],
  ['create_sub_organization', 'CREATE_SUB_ORGANIZATION_V8', () => sub(keyV2()), 'createSubOrganizationResultV8'],
]

for (const [path, type, parameters, result] of accepted) {
  test.serial(`${type} ends with ${result}`, async (t) => {
    const { status, json } = await root.submit(path, `ACTIVITY_TYPE_${type}`, parameters())
    t.is(status, 200, json.message)
    t.like(json.activity, { status: 'ACTIVITY_STATUS_COMPLETED', type: `ACTIVITY_TYPE_${type}` })
    t.truthy(json.activity.result[result], Object.keys(json.activity.result).join())
  })
}

const selectors = [{ subject: 'user.tags', operator: 'OPERATOR_CONTAINS', target: 'x' }]
const refused: [path: string, type: string, parameters: object, reason: RegExp][] = [
  [
    'create_policy',
    'CREATE_POLICY',
    { policyName: 'p', selectors, effect: 'EFFECT_ALLOW' },
    /selectors are not supported/,
  ],
  [
    'create_policy',
    'CREATE_POLICY_V2',
    { policyName: 'p', selectors, effect: 'EFFECT_ALLOW' },
    /selectors are not supported/,
  ],
  [
    'create_sub_organization',
    'CREATE_SUB_ORGANIZATION',
    { name: 's', rootAuthenticator: {} },
    /authenticators are not supported/,
  ],
  [
    'create_users',
    'CREATE_USERS_V4',
    { users: [{ ...tagged(keyV2()), oauthProviders: [{ providerName: 'x' }] }] },
    /not supported/,
  ],
]

for (const [path, type, parameters, reason] of refused) {
  test.serial(`${type} of what is not here is refused with the reason`, async (t) => {
    const { status, json } = await root.submit(path, `ACTIVITY_TYPE_${type}`, parameters)
    t.is(status, 400)
    t.regex(json.message, reason)
  })
}

/** Activities that change the organization record, through the built gate: what they make of it, and what they refuse. */
import { createHash, randomUUID } from 'node:crypto'
import test from 'ava'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import { ORGANIZATION_RECORD_BYTES_MAX } from '../../signer-core/protocol/limits.ts'
import { Bench, refusalOf, rootPublicKey, type GateRequest } from '../support/component.ts'
import { apiKeyParams, freshPublicKey, resultOf, userParams } from '../support/organization-requests.ts'

const dataKey = new Uint8Array(32).fill(11)
const open = () => Bench.open(dataKey)
const TYPE = 'ACTIVITY_TYPE_'

/** The refusal as `CODE field`. */
function refused(bench: Bench, type: string, parameters: object, overrides: Partial<GateRequest> = {}): string {
  const { code, field } = refusalOf(() =>
    bench.component.gate.perform(bench.request(TYPE + type, parameters, [], overrides)),
  )
  return `${code} ${field}`.trim()
}

function change(bench: Bench, type: string, parameters: object, overrides: Partial<GateRequest> = {}) {
  return resultOf(bench.change(TYPE + type, parameters, [], overrides))
}

function addUser(
  bench: Bench,
  userName = 'second',
  publicKey = freshPublicKey(),
): { userId: string; publicKey: string } {
  const { userIds } = change(bench, 'CREATE_USERS_V4', { users: [userParams(userName, [apiKeyParams(publicKey)])] })
  return { userId: userIds[0], publicKey }
}

const rootUserId = ({ record }: Bench) => record.rootQuorum.userIds[0] as string

test('each change is the next version, by one, and nothing else in the record moves', async (t) => {
  const bench = await open()
  const before = bench.record
  const outcome = bench.change(`${TYPE}UPDATE_ORGANIZATION_NAME`, { organizationName: 'New' }, [], { nowMs: 42n })
  t.is(outcome.organizationVersion, 1n, 'of the record that was brought')
  t.deepEqual(bench.record, { ...before, version: 2, organizationName: 'New', updatedAtMs: 42 })
  t.notThrows(() => bench.create('CURVE_P256'), 'the next version is believed')
})

test('what changes nothing answers no record', async (t) => {
  const bench = await open()
  const outcome = bench.component.gate.perform(
    bench.signRequest(bench.create('CURVE_P256').key, 'x', 'HASH_FUNCTION_SHA256'),
  )
  t.is(outcome.organization, undefined)
  t.is(outcome.newOrganization, undefined)
})

test('a new user speaks with each kind of key, and no longer when it expires or is deleted', async (t) => {
  const bench = await open()
  const point = freshPublicKey()
  const ed = createHash('sha256').update('ed').digest('hex')
  const apiKeys = [
    { apiKeyName: 'p', publicKey: point, curveType: 'API_KEY_CURVE_P256', expirationSeconds: '60' },
    { apiKeyName: 'k', publicKey: point, curveType: 'API_KEY_CURVE_SECP256K1' },
    { apiKeyName: 'e', publicKey: ed, curveType: 'API_KEY_CURVE_ED25519' },
  ]
  const { userIds } = change(bench, 'CREATE_USERS_V4', { users: [userParams('second', apiKeys)] })
  const [userId] = userIds
  const [p, k, e] = bench.record.users[1]?.apiKeys ?? []
  t.like(p, { curveType: 'API_KEY_CURVE_P256', expirationSeconds: '60', expiresAtMs: 1_700_000_060_000 })
  const as = (scheme: string, stampPublicKey: string, nowMs = 1_700_000_000_000n) => {
    const stamp = { stampScheme: `SIGNATURE_SCHEME_TK_API_${scheme}`, stampPublicKey, nowMs }
    return refused(bench, 'UPDATE_USER_NAME', { userId, userName: 'x' }, stamp)
  }
  // Known, and not allowed: only then policies are asked.
  const known = 'REQUEST_NOT_AUTHORIZED'
  t.is(as('P256', point), known)
  t.is(as('SECP256K1', point), known)
  t.is(as('SECP256K1_EIP191', point), known)
  t.is(as('ED25519', ed), known)
  t.is(as('P256', ed), 'API_KEY_UNKNOWN')
  t.is(as('ED25519', point), 'API_KEY_UNKNOWN')
  t.is(as('P256', point, 1_700_000_059_999n), known)
  t.is(as('P256', point, 1_700_000_060_000n), 'API_KEY_EXPIRED')
  change(bench, 'DELETE_API_KEYS', { userId, apiKeyIds: [k?.apiKeyId] })
  t.is(as('SECP256K1', point), 'API_KEY_UNKNOWN')
  t.is(as('P256', point), known)
  t.is(
    refused(bench, 'DELETE_API_KEYS', { userId, apiKeyIds: [k?.apiKeyId] }),
    'API_KEY_NOT_FOUND parameters.apiKeyIds.0',
  )
  change(bench, 'DELETE_USERS', { userIds })
  t.is(as('P256', point), 'API_KEY_UNKNOWN')
  t.is(refused(bench, 'DELETE_API_KEYS', { userId, apiKeyIds: [e?.apiKeyId] }), 'USER_NOT_FOUND parameters.userId')
})

test('older forms of API keys are P-256 whatever else they say', async (t) => {
  const bench = await open()
  const userId = rootUserId(bench)
  const publicKey = freshPublicKey().toUpperCase()
  change(bench, 'CREATE_API_KEYS', {
    userId,
    apiKeys: [{ apiKeyName: 'k', publicKey, curveType: 'API_KEY_CURVE_ED25519' }],
  })
  t.like(bench.record.users[0]?.apiKeys[1], { curveType: 'API_KEY_CURVE_P256', publicKey: publicKey.toLowerCase() })
})

test('everybody may change their own credentials, and nobody else’s', async (t) => {
  const bench = await open()
  const { userId, publicKey } = addUser(bench)
  const own = { stampPublicKey: publicKey }
  const apiKeys = [apiKeyParams()]
  t.is(refused(bench, 'CREATE_API_KEYS_V2', { userId: rootUserId(bench), apiKeys }, own), 'REQUEST_NOT_AUTHORIZED')
  const { apiKeyIds } = change(bench, 'CREATE_API_KEYS_V2', { userId, apiKeys }, own)
  t.is(bench.record.users[1]?.apiKeys.length, 2)
  change(bench, 'DELETE_API_KEYS', { userId, apiKeyIds }, own)
  t.is(bench.record.users[1]?.apiKeys.length, 1)
  const deny = { policyName: 'd', effect: 'EFFECT_DENY', condition: "activity.resource == 'CREDENTIAL'", notes: '' }
  change(bench, 'CREATE_POLICY_V3', deny)
  t.is(refused(bench, 'CREATE_API_KEYS_V2', { userId, apiKeys }, own), 'REQUEST_NOT_AUTHORIZED')
})

test('a public key belongs to one credential of the organization', async (t) => {
  const bench = await open()
  const taken = (publicKey: string) =>
    refused(bench, 'CREATE_USERS_V4', { users: [userParams('a', [apiKeyParams(publicKey)])] })
  t.is(taken(rootPublicKey), 'PUBLIC_KEY_TAKEN')
  const twice = apiKeyParams()
  t.is(refused(bench, 'CREATE_API_KEYS_V2', { userId: rootUserId(bench), apiKeys: [twice, twice] }), 'PUBLIC_KEY_TAKEN')
  const { publicKey } = addUser(bench)
  t.is(taken(publicKey), 'PUBLIC_KEY_TAKEN')
  const sameNumber = { apiKeyName: 'k', publicKey, curveType: 'API_KEY_CURVE_SECP256K1' }
  t.notThrows(() => change(bench, 'CREATE_API_KEYS_V2', { userId: rootUserId(bench), apiKeys: [sameNumber] }))
})

test('what cannot be done is refused, not ignored', async (t) => {
  const bench = await open()
  const user = userParams()
  const users = (more: object) => refused(bench, 'CREATE_USERS_V4', { users: [{ ...user, ...more }] })
  t.is(users({ authenticators: [{ authenticatorName: 'a' }] }), 'PARAMETERS_INVALID parameters.users.0.authenticators')
  t.is(users({ oauthProviders: [{ providerName: 'a' }] }), 'PARAMETERS_INVALID parameters.users.0.oauthProviders')
  t.is(users({ userTags: [randomUUID()] }), 'TAG_NOT_FOUND')
  const publicKeyField = 'PARAMETERS_INVALID parameters.users.0.apiKeys.0.publicKey'
  t.is(users({ apiKeys: [{ ...apiKeyParams(), publicKey: '04' }] }), publicKeyField)
  t.is(users({ apiKeys: [{ ...apiKeyParams(), curveType: 'API_KEY_CURVE_ED25519' }] }), publicKeyField)
  const expiry = 'PARAMETERS_INVALID parameters.users.0.apiKeys.0.expirationSeconds'
  for (const expirationSeconds of ['0', '-1', '1.5', '10000000000', 60]) {
    t.is(users({ apiKeys: [{ ...apiKeyParams(), expirationSeconds }] }), expiry)
  }
  const token = { userId: rootUserId(bench), userEmail: 'a@example.org', verificationToken: 'x' }
  t.is(refused(bench, 'UPDATE_USER_EMAIL', token), 'PARAMETERS_INVALID parameters.verificationToken')
  for (const type of ['CREATE_POLICY', 'CREATE_POLICY_V2', 'CREATE_SUB_ORGANIZATION']) {
    t.is(refused(bench, type, {}), 'ACTIVITY_TYPE_UNSUPPORTED type')
  }
})

test('a user’s members change one by one', async (t) => {
  const bench = await open()
  const { userId } = addUser(bench)
  const { userTagId } = change(bench, 'CREATE_USER_TAG', { userTagName: 't', userIds: [] })
  const user = () => bench.record.users[1]
  change(bench, 'UPDATE_USER', { userId, userEmail: 'a@example.org', userTagIds: [userTagId], userPhoneNumber: null })
  t.like(user(), { userName: 'second', userEmail: 'a@example.org', userTags: [userTagId] })
  change(bench, 'UPDATE_USER_NAME', { userId, userName: 'new' })
  change(bench, 'UPDATE_USER_PHONE_NUMBER', { userId, userPhoneNumber: '+15550100' })
  t.like(user(), { userName: 'new', userEmail: 'a@example.org', userPhoneNumber: '+15550100' })
  change(bench, 'UPDATE_USER_EMAIL', { userId, userEmail: '' })
  t.false(Object.hasOwn(user() as object, 'userEmail'))
  t.is(refused(bench, 'UPDATE_USER', { userId, userTagIds: [randomUUID()] }), 'TAG_NOT_FOUND parameters.userTagIds.0')
  t.is(refused(bench, 'UPDATE_USER_NAME', { userId: randomUUID(), userName: 'x' }), 'USER_NOT_FOUND parameters.userId')
})

test('the root quorum stays one that can act', async (t) => {
  const bench = await open()
  const root = rootUserId(bench)
  const { userId } = addUser(bench)
  const quorum = (threshold: number, userIds: string[]) => refused(bench, 'UPDATE_ROOT_QUORUM', { threshold, userIds })
  const invalid = 'ROOT_QUORUM_INVALID'
  t.is(quorum(1, [randomUUID()]), invalid)
  t.is(quorum(2, [root]), invalid)
  t.is(quorum(2, [root, root]), invalid)
  t.is(quorum(0, [root]), 'PARAMETERS_INVALID parameters.threshold')
  t.is(quorum(1, []), 'PARAMETERS_INVALID parameters.userIds')
  t.is(refused(bench, 'DELETE_USERS', { userIds: [root] }), invalid)
  const rootKey = bench.record.users[0]?.apiKeys[0]?.apiKeyId as string
  t.is(refused(bench, 'DELETE_API_KEYS', { userId: root, apiKeyIds: [rootKey] }), invalid)
  change(bench, 'UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [userId] })
  change(
    bench,
    'CREATE_POLICY_V3',
    { policyName: 'p', effect: 'EFFECT_ALLOW', condition: '', notes: '' },
    { stampPublicKey: bench.record.users[1]?.apiKeys[0]?.publicKey as string },
  )
  t.is(quorum(1, [root]), 'REQUEST_NOT_AUTHORIZED', 'a policy that allows everything does not allow this')
  t.notThrows(() =>
    change(
      bench,
      'DELETE_USERS',
      { userIds: [root] },
      { stampPublicKey: bench.record.users[1]?.apiKeys[0]?.publicKey as string },
    ),
  )
})

test('four kinds of activity are the root quorum’s alone, whatever policies say', async (t) => {
  const bench = await open()
  const { userId, publicKey } = addUser(bench)
  change(bench, 'CREATE_POLICY_V3', { policyName: 'p', effect: 'EFFECT_ALLOW', notes: '' })
  const own = { stampPublicKey: publicKey }
  t.notThrows(() => change(bench, 'UPDATE_USER_NAME', { userId, userName: 'allowed' }, own))
  const denied = 'REQUEST_NOT_AUTHORIZED'
  t.is(refused(bench, 'UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [userId] }, own), denied)
  t.is(refused(bench, 'UPDATE_ORGANIZATION_NAME', { organizationName: 'x' }, own), denied)
  const feature = { name: 'FEATURE_NAME_WEBHOOK', value: 'x' }
  t.is(refused(bench, 'SET_ORGANIZATION_FEATURE', feature, own), denied)
  t.is(refused(bench, 'REMOVE_ORGANIZATION_FEATURE', feature, own), denied)
  t.deepEqual(change(bench, 'SET_ORGANIZATION_FEATURE', feature).features, [feature])
  t.deepEqual(change(bench, 'SET_ORGANIZATION_FEATURE', { ...feature, value: 'y' }).features, [
    { ...feature, value: 'y' },
  ])
  t.deepEqual(change(bench, 'REMOVE_ORGANIZATION_FEATURE', feature).features, [])
})

test('policies are stored when they can be read, and changed member by member', async (t) => {
  const bench = await open()
  const policy = { policyName: 'p', effect: 'EFFECT_ALLOW', condition: "activity.kind == 'X'", notes: 'n' }
  const { policyIds } = change(bench, 'CREATE_POLICIES', { policies: [policy, { ...policy, consensus: null }] })
  t.is(policyIds.length, 2)
  const [policyId] = policyIds
  t.like(bench.record.policies[0], { ...policy, policyId, consensus: '', time: '' })
  change(bench, 'UPDATE_POLICY_V2', {
    policyId,
    policyEffect: 'EFFECT_DENY',
    time: "CronSpan('0 9 * * *', '1h', 'UTC')",
    policyCondition: '',
  })
  t.like(bench.record.policies[0], { effect: 'EFFECT_DENY', condition: '', notes: 'n', policyName: 'p' })
  t.is(change(bench, 'UPDATE_POLICY', { policyId, time: 'nonsense' }).policyId, policyId, 'V1 knows no time')
  const bad = refusalOf(() =>
    bench.component.gate.perform(
      bench.request(`${TYPE}CREATE_POLICIES`, {
        policies: [policy, { ...policy, condition: "activity.kind ==\n 'X' &&& true" }],
      }),
    ),
  )
  t.is(`${bad.code} ${bad.field}`, 'POLICY_INVALID parameters.policies.1.condition')
  t.regex(bad.message, /^condition, line 2, column 8: /)
  t.is(refused(bench, 'CREATE_POLICY_V3', { ...policy, consensus: 'approvers' }), 'POLICY_INVALID parameters.consensus')
  t.is(
    refused(bench, 'UPDATE_POLICY_V2', { policyId, policyConsensus: 'x' }),
    'POLICY_INVALID parameters.policyConsensus',
  )
  t.is(refused(bench, 'UPDATE_POLICY_V2', { policyId: randomUUID() }), 'POLICY_NOT_FOUND parameters.policyId')
  change(bench, 'DELETE_POLICY', { policyId })
  t.is(refused(bench, 'DELETE_POLICIES', { policyIds }), 'POLICY_NOT_FOUND parameters.policyIds.0')
  change(bench, 'DELETE_POLICIES', { policyIds: [policyIds[1]] })
  t.deepEqual(bench.record.policies, [])
})

test('limits, one below and one above', async (t) => {
  const bench = await open()
  const users = (count: number) => ({ users: Array.from({ length: count }, (_, i) => userParams(`u${i}`)) })
  t.is(refused(bench, 'CREATE_USERS_V4', users(100)), 'LIMIT_REACHED')
  t.notThrows(() => change(bench, 'CREATE_USERS_V4', users(99)))
  const keys = (count: number) => Array.from({ length: count }, () => apiKeyParams())
  const userId = rootUserId(bench)
  t.is(refused(bench, 'CREATE_API_KEYS_V2', { userId, apiKeys: keys(10) }), 'LIMIT_REACHED')
  t.notThrows(() => change(bench, 'CREATE_API_KEYS_V2', { userId, apiKeys: keys(9) }))
  const policy = { policyName: 'p', effect: 'EFFECT_ALLOW', notes: '' }
  const policies = (count: number, more = {}) => ({
    policies: Array.from({ length: count }, () => ({ ...policy, ...more })),
  })
  t.notThrows(() => change(bench, 'CREATE_POLICIES', policies(99)))
  t.is(refused(bench, 'CREATE_POLICIES', policies(2)), 'LIMIT_REACHED')
  t.notThrows(() => change(bench, 'CREATE_POLICIES', policies(1)))
  const long = await open()
  const condition = `activity.kind == '${'x'.repeat(8_192 - 19)}'`
  t.notThrows(() => change(long, 'CREATE_POLICIES', policies(6, { condition })))
  t.is(refused(long, 'CREATE_POLICY_V3', { ...policy, condition: 'true' }), 'LIMIT_REACHED')
})

test('a record grows up to its limit in bytes', async (t) => {
  const bench = await open()
  const policy = { policyName: 'p', effect: 'EFFECT_ALLOW', notes: 'é'.repeat(8_192) }
  const create = (count: number) => ({ policies: Array.from({ length: count }, () => policy) })
  t.notThrows(() => change(bench, 'CREATE_POLICIES', create(31)))
  t.is(refused(bench, 'CREATE_POLICY_V3', policy), 'LIMIT_REACHED')
  const room = ORGANIZATION_RECORD_BYTES_MAX - Buffer.byteLength(bench.organization.text)
  t.true(room > 0 && room < 2 * 8_192)
})

test('tags of users and of private keys', async (t) => {
  const bench = await open()
  const { userId } = addUser(bench)
  const root = rootUserId(bench)
  const twice = { userTagName: 'ops', userIds: [userId, userId] }
  const { userTagId, userIds } = change(bench, 'CREATE_USER_TAG', twice)
  t.deepEqual(userIds, [userId])
  const tagged = () => bench.record.users.filter((each) => each.userTags.includes(userTagId)).map((each) => each.userId)
  t.deepEqual(tagged(), [userId])
  change(bench, 'UPDATE_USER_TAG', { userTagId, newUserTagName: 'dev', addUserIds: [root], removeUserIds: [userId] })
  t.deepEqual(tagged(), [root])
  t.is(bench.record.userTags[0]?.tagName, 'dev')
  t.deepEqual(change(bench, 'DELETE_USER_TAGS', { userTagIds: [userTagId] }).userIds, [root])
  t.deepEqual([tagged(), bench.record.userTags], [[], []])
  t.is(refused(bench, 'DELETE_USER_TAGS', { userTagIds: [userTagId] }), 'TAG_NOT_FOUND parameters.userTagIds.0')

  const { key } = bench.create('CURVE_P256')
  const create = { privateKeyTagName: 'hot', privateKeyIds: [key.keyId] }
  t.is(refused(bench, 'CREATE_PRIVATE_KEY_TAG', create), 'KEY_NOT_FOUND parameters.privateKeyIds.0')
  const { privateKeyTagId } = resultOf(bench.change(`${TYPE}CREATE_PRIVATE_KEY_TAG`, create, [key]))
  const keyIds = () => bench.record.privateKeyTags[0]?.privateKeyIds
  const wanted = { privateKeyName: 'k', curve: 'CURVE_P256', addressFormats: [] }
  const privateKeys = [
    { ...wanted, privateKeyTags: [] },
    { ...wanted, privateKeyTags: [privateKeyTagId] },
  ]
  const made = change(bench, 'CREATE_PRIVATE_KEYS_V2', { privateKeys })
  t.deepEqual(keyIds(), [key.keyId, made.privateKeys[1].privateKeyId])
  const unknown = [{ ...wanted, privateKeyTags: [randomUUID()] }]
  t.is(
    refused(bench, 'CREATE_PRIVATE_KEYS_V2', { privateKeys: unknown }),
    'TAG_NOT_FOUND parameters.privateKeys.0.privateKeyTags.0',
  )
  bench.change(`${TYPE}DELETE_PRIVATE_KEYS`, { privateKeyIds: [key.keyId], deleteWithoutExport: true }, [key])
  t.deepEqual(keyIds(), [made.privateKeys[1].privateKeyId])
  const removal = { privateKeyTagId, addPrivateKeyIds: [key.keyId], removePrivateKeyIds: keyIds() }
  bench.change(`${TYPE}UPDATE_PRIVATE_KEY_TAG`, removal, [key])
  t.deepEqual(keyIds(), [key.keyId])
  t.deepEqual(change(bench, 'DELETE_PRIVATE_KEY_TAGS', { privateKeyTagIds: [privateKeyTagId] }).privateKeyIds, [
    key.keyId,
  ])
})

test('a sub-organization has its own root quorum, its own keys, and an end', async (t) => {
  const bench = await open()
  const publicKey = freshPublicKey()
  const account = {
    curve: 'CURVE_ED25519',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/501'/0'/0'",
    addressFormat: 'ADDRESS_FORMAT_SOLANA',
  }
  const rootUsers = [userParams('r', [apiKeyParams(publicKey)]), userParams('s')]
  const parameters = {
    subOrganizationName: 'sub',
    rootUsers,
    rootQuorumThreshold: 1,
    wallet: { walletName: 'w', accounts: [account] },
  }
  const request = bench.request(`${TYPE}CREATE_SUB_ORGANIZATION_V8`, parameters)
  const outcome = bench.component.gate.perform(request)
  t.is(outcome.organization, undefined, 'the parent stays as it is')
  const { subOrganizationId, wallet, rootUserIds } = resultOf(outcome)
  const notarized = outcome.newOrganization
  const record = JSON.parse(notarized?.text ?? '') as OrganizationRecord
  t.like(record, {
    organizationId: subOrganizationId,
    parentOrganizationId: bench.organizationId,
    version: 1,
    organizationName: 'sub',
  })
  t.deepEqual(record.rootQuorum, { threshold: 1, userIds: rootUserIds })
  t.is(outcome.newWallets[0]?.wallet.walletId, wallet.walletId)

  const sub = await Bench.open(dataKey, subOrganizationId)
  sub.organization = notarized as NonNullable<typeof notarized>
  const key = outcome.newKeys[0]?.key as NonNullable<(typeof outcome.newKeys)[number]>['key']
  const own = { stampPublicKey: publicKey }
  const sign = (keyOwner: Bench, overrides: Partial<GateRequest>) =>
    keyOwner.signRequest(key, 'hello', 'HASH_FUNCTION_NOT_APPLICABLE', undefined, overrides)
  t.notThrows(() => sub.component.gate.perform(sign(sub, own)))
  const codeOf = (each: GateRequest) => refusalOf(() => sub.component.gate.perform(each)).code
  t.is(codeOf(sign(bench, {})), 'SEALED_KEY_REFUSED', 'the key is not its parent’s')
  t.is(codeOf(sign(sub, {})), 'API_KEY_UNKNOWN', 'nor may the parent’s user')
  t.is(refused(sub, 'CREATE_SUB_ORGANIZATION_V8', parameters, own), 'PARAMETERS_INVALID organizationId')
  t.is(refused(bench, 'DELETE_SUB_ORGANIZATION', {}), 'PARAMETERS_INVALID organizationId')
  t.is(
    change(sub, 'DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true }, own).subOrganizationUuid,
    subOrganizationId,
  )
  t.is(codeOf(sign(sub, own)), 'ORGANIZATION_DELETED')
})

test('a sub-organization that nobody could use is refused', async (t) => {
  const bench = await open()
  const users = (apiKeys: object[], threshold: number) =>
    refused(bench, 'CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: 's',
      rootUsers: [userParams('r', apiKeys)],
      rootQuorumThreshold: threshold,
    })
  t.is(users([], 1), 'ROOT_QUORUM_INVALID')
  t.is(users([apiKeyParams()], 2), 'ROOT_QUORUM_INVALID')
  const same = apiKeyParams()
  t.is(users([same, same], 1), 'PUBLIC_KEY_TAKEN')
})

/** Users, policies, tags and sub-organizations with the unmodified @turnkey/sdk-server. */
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { newApiKeyPair } from '../../cli/api-key-pair.ts'
import { serializeTransaction, type Hex } from 'viem'
import { examplePolicies } from '../support/policy-examples.ts'
import { Client, newTimestampMs } from '../support/client.ts'
import { apiKeyParams, apiOf, newPeople, userParams, type Api } from '../support/people.ts'
import { startService } from '../support/service.ts'
import { refusal, turnkeyClient } from './turnkey-client.ts'

/** The reference engine takes seconds for a wallet. */
const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '60000', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }
const service = await startService({ environment })
test.after.always(() => service.dispose())
const { dev } = service
const root = turnkeyClient(dev)

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

async function newKey(api: Api, privateKeyTags: string[] = []): Promise<{ privateKeyId: string; address: string }> {
  const addressFormats = ['ADDRESS_FORMAT_ETHEREUM' as const]
  const privateKey = { privateKeyName: 'key', curve: 'CURVE_SECP256K1' as const, privateKeyTags, addressFormats }
  const { privateKeys } = await api.createPrivateKeys({ timestampMs: newTimestampMs(), privateKeys: [privateKey] })
  const [created] = privateKeys
  return { privateKeyId: created?.privateKeyId as string, address: created?.addresses?.[0]?.address as string }
}

/** A payment on Base. */
const payment = (value: bigint, to: Hex = USDC) =>
  serializeTransaction({
    type: 'eip1559',
    chainId: 8453,
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 1_000_000_000n,
    maxPriorityFeePerGas: 1n,
    to,
    value,
  }).slice(2)

const signPayment = (api: Api, signWith: string, value: bigint) =>
  api.signTransaction({ signWith, unsignedTransaction: payment(value), type: 'TRANSACTION_TYPE_ETHEREUM' })

test('a user with an API key and a policy: inside it transactions are signed, others get 403 with evaluations', async (t) => {
  const { address } = await newKey(root)
  const [ann] = await newPeople(root, dev, ['ann'])
  if (ann === undefined) return t.fail()
  t.like(await ann.api.getWhoami(), { userId: ann.userId, username: 'ann' })
  t.is((await refusal(t, signPayment(ann.api, address, 1n))).code, 7, 'nobody has allowed it yet')

  const [spendLimit] = examplePolicies('spend-limit')
  if (spendLimit === undefined) return t.fail()
  const policy = { ...spendLimit, consensus: `approvers.any(user, user.id == '${ann.userId}')` }
  const { policyId } = await root.createPolicy(policy)
  const inside = await signPayment(ann.api, address, 10n ** 17n)
  t.regex(inside.signedTransaction, /^02f8/)
  const { policyEvaluations } = await ann.api.getPolicyEvaluations({ activityId: inside.activity.id })
  t.is(policyEvaluations.length, 1)
  const outcomeOf = (all: { policyId?: string; outcome?: string }[] = []) =>
    all.find((each) => each.policyId === policyId)?.outcome
  t.is(outcomeOf(policyEvaluations[0]?.policyEvaluations), 'OUTCOME_ALLOW')

  const denied = await refusal(t, signPayment(ann.api, address, 10n ** 17n + 1n))
  t.is(denied.code, 7)
  const detail = denied.details?.find((each: { '@type': string }) =>
    each['@type'].endsWith('PolicyEnginePermissionError'),
  )
  t.is(outcomeOf(detail.policyEvaluations), 'OUTCOME_DENY_IMPLICIT')
  t.is((await refusal(t, newKey(ann.api))).code, 7, 'nor may ann make keys')

  const condition = "activity.kind == 'SIGN_TRANSACTION' && eth.tx.value >= 7"
  await root.createPolicy({ policyName: 'stop', effect: 'EFFECT_DENY', condition, notes: '' })
  const explicit = await refusal(t, signPayment(ann.api, address, 8n))
  t.regex(explicit.message, /policy engine denied request explicitly/)
  t.regex((await signPayment(ann.api, address, 6n)).signedTransaction, /^02f8/)
  t.regex((await signPayment(root, address, 8n)).signedTransaction, /^02f8/, 'the root quorum is not asked')
})

test('policies are read, changed and deleted; a bad one is refused with line and column', async (t) => {
  const created = await root.createPolicies({
    policies: [
      { policyName: 'one', effect: 'EFFECT_ALLOW', condition: "activity.kind == 'NONE'", notes: 'n' },
      { policyName: 'two', effect: 'EFFECT_ALLOW', consensus: 'approvers.count() == 99', notes: '' },
    ],
  })
  const [one, two] = created.policyIds as [string, string]
  const { policy } = await root.getPolicy({ policyId: one })
  t.like(policy, { policyName: 'one', condition: "activity.kind == 'NONE'", consensus: '', notes: 'n' })
  await root.updatePolicy({ policyId: one, policyName: 'renamed', policyEffect: 'EFFECT_DENY' })
  const { policies } = await root.getPolicies()
  t.like(
    policies.find((each) => each.policyId === one),
    { policyName: 'renamed', effect: 'EFFECT_DENY' },
  )
  await root.deletePolicy({ policyId: one })
  await root.deletePolicies({ policyIds: [two] })
  t.is((await refusal(t, root.getPolicy({ policyId: one }))).code, 5)
  const bad = root.createPolicy({ policyName: 'bad', effect: 'EFFECT_ALLOW', condition: '1 ==\n nonsense', notes: '' })
  const refused = await refusal(t, bad)
  t.is(refused.code, 3)
  t.regex(refused.message, /line 2, column 2/)
})

test('API keys: a second one, one that expires, one that is deleted', async (t) => {
  const [ann] = await newPeople(root, dev, ['ann with keys'])
  if (ann === undefined) return t.fail()
  const [second, brief] = [newApiKeyPair(), newApiKeyPair()]
  const { apiKeyIds } = await root.createApiKeys({
    userId: ann.userId,
    apiKeys: [apiKeyParams(second), apiKeyParams(brief, '1')],
  })
  t.is((await apiOf(dev.baseUrl, dev.organizationId, second).getWhoami()).userId, ann.userId)
  const { apiKeys } = await root.getApiKeys({ userId: ann.userId })
  t.deepEqual(
    apiKeys.map((each) => each.credential.publicKey),
    [ann.key, second, brief].map((each) => each.publicKey),
  )
  t.is(apiKeys[2]?.expirationSeconds, '1')

  await t.throwsAsync(
    async () => {
      for (;;) await apiOf(dev.baseUrl, dev.organizationId, brief).getWhoami()
    },
    { message: /Unauthenticated desc = expired api key publicKey/ },
  )
  await root.deleteApiKeys({ userId: ann.userId, apiKeyIds: [apiKeyIds[0] as string] })
  const deleted = await refusal(t, apiOf(dev.baseUrl, dev.organizationId, second).getWhoami())
  t.regex(deleted.message, /could not find public key in organization or its parent organization/)
  t.is((await ann.api.getWhoami()).userId, ann.userId)
  const taken = await refusal(t, root.createApiKeys({ userId: ann.userId, apiKeys: [apiKeyParams(ann.key)] }))
  t.is(taken.code, 3)
})

test('users are read, changed, tagged and deleted', async (t) => {
  const [ann, bob] = await newPeople(root, dev, ['ann the user', 'bob the user'])
  if (ann === undefined || bob === undefined) return t.fail()
  await root.updateUser({ userId: ann.userId, userName: 'anna', userEmail: 'anna@example.com' })
  const { userTagId } = await root.createUserTag({ userTagName: 'ops', userIds: [ann.userId] })
  await root.updateUserTag({ userTagId, addUserIds: [bob.userId], removeUserIds: [] })
  t.like((await root.getUser({ userId: ann.userId })).user, {
    userName: 'anna',
    userEmail: 'anna@example.com',
    userTags: [userTagId],
    authenticators: [],
    oauthProviders: [],
  })
  const { users } = await root.getUsers()
  t.deepEqual(users.find((each) => each.userId === bob.userId)?.userTags, [userTagId])
  t.deepEqual(
    (await root.listUserTags()).userTags.map((each) => each.tagName),
    ['ops'],
  )
  await root.deleteUserTags({ userTagIds: [userTagId] })
  t.deepEqual((await root.getUser({ userId: bob.userId })).user.userTags, [])
  await root.deleteUsers({ userIds: [bob.userId] })
  t.is((await refusal(t, root.getUser({ userId: bob.userId }))).code, 5)
  t.is((await refusal(t, bob.api.getWhoami())).code, 16)
})

test('tags of keys decide, and keys show theirs', async (t) => {
  const { privateKeyTagId: hot } = await root.createPrivateKeyTag({ privateKeyTagName: 'hot', privateKeyIds: [] })
  const [tagged, plain] = [await newKey(root, [hot]), await newKey(root)]
  const { privateKeys } = await root.getPrivateKeys()
  const tagsOf = (id: string) => privateKeys.find((each) => each.privateKeyId === id)?.privateKeyTags
  t.deepEqual([tagsOf(tagged.privateKeyId), tagsOf(plain.privateKeyId)], [[hot], []])
  const [ann] = await newPeople(root, dev, ['ann of hot keys'])
  if (ann === undefined) return t.fail()
  await root.createPolicy({
    policyName: 'hot keys',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${ann.userId}')`,
    condition: `activity.kind == 'SIGN_TRANSACTION' && private_key.tags.contains('${hot}')`,
    notes: '',
  })
  t.regex((await signPayment(ann.api, tagged.address, 1n)).signedTransaction, /^02f8/)
  t.is((await refusal(t, signPayment(ann.api, plain.address, 1n))).code, 7)
  await root.updatePrivateKeyTag({
    privateKeyTagId: hot,
    addPrivateKeyIds: [plain.privateKeyId],
    removePrivateKeyIds: [tagged.privateKeyId],
  })
  t.regex((await signPayment(ann.api, plain.address, 1n)).signedTransaction, /^02f8/)
  t.is((await refusal(t, signPayment(ann.api, tagged.address, 1n))).code, 7)
  t.is((await refusal(t, newKey(root, [randomUUID()]))).code, 5)
})

test('a sub-organization with its own root user, who signs; the parent reads it and cannot write', async (t) => {
  const key = newApiKeyPair()
  const subOrganizationName = `sub ${randomUUID()}`
  const { userTags: _, ...rootUser } = userParams('sub root', key)
  const created = await root.createSubOrganization({
    subOrganizationName,
    rootUsers: [rootUser],
    rootQuorumThreshold: 1,
    wallet: {
      walletName: 'first',
      accounts: [
        {
          curve: 'CURVE_SECP256K1',
          pathFormat: 'PATH_FORMAT_BIP32',
          path: "m/44'/60'/0'/0/0",
          addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
        },
      ],
    },
  })
  const { subOrganizationId, wallet } = created
  const sub = apiOf(dev.baseUrl, subOrganizationId, key)
  t.like(await sub.getWhoami(), { organizationId: subOrganizationId, organizationName: subOrganizationName })
  const address = wallet?.addresses[0] as string
  t.regex((await signPayment(sub, address, 1n)).signedTransaction, /^02f8/)
  t.is((await sub.getWallets()).wallets.length, 1)

  t.is((await root.getWallets({ organizationId: subOrganizationId })).wallets.length, 1, 'the parent reads')
  t.like(await root.getWhoami({ organizationId: subOrganizationId }), { organizationId: dev.organizationId })
  const unsignedTransaction = payment(1n)
  const type = 'TRANSACTION_TYPE_ETHEREUM' as const
  const written = root.signTransaction({
    organizationId: subOrganizationId,
    signWith: address,
    unsignedTransaction,
    type,
  })
  t.is((await refusal(t, written)).code, 16, 'and cannot write')
  t.is((await refusal(t, sub.getWallets({ organizationId: dev.organizationId }))).code, 16, 'nor does it read upwards')

  const find = async (filterType: string, filterValue: string) =>
    (await root.getSubOrgIds({ filterType, filterValue })).organizationIds
  t.deepEqual(await find('NAME', subOrganizationName), [subOrganizationId])
  t.deepEqual(await find('PUBLIC_KEY', key.publicKey), [subOrganizationId])
  t.deepEqual(await find('NAME', 'another'), [])
  t.deepEqual(await find('CREDENTIAL_ID', 'any'), [])
  t.deepEqual(await find('WALLET_ACCOUNT_ADDRESS', address.toLowerCase()), [subOrganizationId])
  t.deepEqual(await find('WALLET_ACCOUNT_ADDRESS', USDC), [])
  t.true((await root.getSubOrgIds()).organizationIds.includes(subOrganizationId))
  const second = newApiKeyPair()
  await sub.createUsers({ users: [userParams('later', second)] })
  t.deepEqual(await find('PUBLIC_KEY', second.publicKey), [subOrganizationId], 'also who came later')

  t.is((await refusal(t, sub.deleteSubOrganization({}))).code, 9, 'its wallet was never exported')
  await sub.deleteSubOrganization({ deleteWithoutExport: true })
  t.deepEqual((await sub.getWallets()).wallets, [], 'it can still be read')
  t.deepEqual(await find('NAME', subOrganizationName), [])
  t.deepEqual(await find('WALLET_ACCOUNT_ADDRESS', address), [])
  t.is((await refusal(t, signPayment(sub, address, 2n))).code, 5)
})

test('the organization in one answer, its configuration, and queries that have nothing to show', async (t) => {
  // The SDK has no method for these two.
  const bare = new Client(dev.baseUrl, dev)
  const { organizationData } = (await bare.query('get_organization')).json
  t.like(organizationData, { organizationId: dev.organizationId, invitations: [], rootQuorum: { threshold: 1 } })
  t.true(organizationData.users.length > 0)
  const { statuses } = (await bare.query('get_active_policies')).json
  t.true(statuses.every(({ active }: { active: boolean }) => active))
  const { configs } = await root.getOrganizationConfigs({})
  t.is(configs.quorum?.threshold, 1)
  const { userId } = await root.getWhoami()
  t.deepEqual((await root.getAuthenticators({ userId })).authenticators, [])
  t.deepEqual((await root.getOauthProviders({ userId })).oauthProviders, [])
  t.deepEqual((await root.getVerifiedSubOrgIds({})).organizationIds, [])
})

test('the name and the root quorum are the root quorum’s to change', async (t) => {
  const [ann] = await newPeople(root, dev, ['ann of the quorum'])
  if (ann === undefined) return t.fail()
  await root.createPolicy({
    policyName: 'everything',
    effect: 'EFFECT_ALLOW',
    consensus: `approvers.any(user, user.id == '${ann.userId}')`,
    notes: '',
  })
  t.is((await refusal(t, ann.api.updateOrganizationName({ organizationName: 'hers' }))).code, 7)
  await root.updateOrganizationName({ organizationName: 'Renamed' })
  t.is((await root.getWhoami()).organizationName, 'Renamed')
  t.is((await refusal(t, root.updateRootQuorum({ threshold: 2, userIds: [ann.userId] }))).code, 3)
})

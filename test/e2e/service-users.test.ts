/** The keys that the plug-ins sign with: what they get signed is what the sending engine makes for them, and nothing else. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { parseTransaction, serializeTransaction, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { cancelCeiling } from '../../gateway/chains/sending/fees.ts'
import { unsignedTransaction } from '../../gateway/chains/sending/transaction.ts'
import { newApiKeyPair } from '../../cli/api-key-pair.ts'
import { transferCall } from '../../plugins/x402/schemes/exact-eip155/token.ts'
import { guarded } from '../../plugins/gas-relay/delegates/guard.ts'
import { Client, type Credentials, type HttpAnswer } from '../support/client.ts'
import { encodeCall } from '../support/relay/delegation.ts'
import { startService, type Service } from '../support/service.ts'

const WORD: Hex = `0x${'11'.repeat(32)}`
const SOMEBODY: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const GWEI = 1_000_000_000n

let service: Service
let facilitator: Client
let relay: Client

test.before(async () => {
  service = await startService({ environment: { KEYSTEAD_LOCAL_CHAIN: 'on' } })
  const clientOf = (plugin: string) => {
    const text = readFileSync(join(service.dataDir, `dev-service-${plugin}.json`), 'utf8')
    return new Client(service.dev.baseUrl, JSON.parse(text) as Credentials)
  }
  facilitator = clientOf('x402')
  relay = clientOf('gas-relay')
})
test.after.always(() => service.dispose())

function sign(client: Client, signWith: Address, unsigned: Hex): Promise<HttpAnswer> {
  const parameters = { signWith, unsignedTransaction: unsigned.slice(2), type: 'TRANSACTION_TYPE_ETHEREUM' }
  return client.submit('sign_transaction', 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters)
}

/** As the engine makes it. */
function attempt(
  from: Address,
  request: { to: Address; data: Hex; gasLimit: bigint; type4?: boolean },
  kind: 'original' | 'cancel',
  maxFee: bigint,
): Hex {
  const { gasLimit, type4 = false, ...call } = request
  const authorization = { address: SOMEBODY, chainId: 84_532, nonce: 0, r: WORD, s: WORD, yParity: 0 }
  const authorizations = type4 ? { authorizationList: [authorization] } : {}
  const stored = { ...call, ...authorizations, gasLimit: String(gasLimit), feeCeiling: '0' }
  const fees = { maxFeePerGas: String(maxFee), maxPriorityFeePerGas: '1', timestampMs: '1' }
  return unsignedTransaction({ request: stored, nonce: 7 }, { kind, ...fees }, from, 84_532)
}

const changed = (unsigned: Hex, change: object): Hex =>
  serializeTransaction({ ...parseTransaction(unsigned), ...change })

/** Other than transactions: nothing at all. */
async function others(client: Client, signWith: Address): Promise<Record<string, HttpAnswer>> {
  const operator = new Client(service.dev.baseUrl, service.dev.operator)
  const { json: keys } = await operator.query('list_private_keys')
  const { json: me } = await client.query('whoami')
  const { json: listed } = await operator.query('list_policies')
  const [{ privateKeyId }] = keys.privateKeys as [{ privateKeyId: string }]
  const [{ policyId }] = listed.policies as [{ policyId: string }]
  const { publicKey } = newApiKeyPair()
  const apiKeys = [{ apiKeyName: 'second', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const users = [{ userName: 'more', userTags: [], apiKeys, authenticators: [], oauthProviders: [] }]
  const policies = [{ policyName: 'all', effect: 'EFFECT_ALLOW', condition: '', consensus: '', notes: '' }]
  const digest = { signWith, payload: WORD.slice(2), encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' }
  const delegation = JSON.stringify({ address: SOMEBODY, chainId: '84532', nonce: '0' })
  const run = (path: string, type: string, parameters: object) =>
    client.submit(path, `ACTIVITY_TYPE_${type}`, parameters)
  return {
    'a bare digest': await run('sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', {
      ...digest,
      hashFunction: 'HASH_FUNCTION_NO_OP',
    }),
    'a text': await client.sign(signWith, 'hello', 'HASH_FUNCTION_KECCAK256'),
    'a delegation of the relayer': await run('sign_raw_payload', 'SIGN_RAW_PAYLOAD_V2', {
      signWith,
      payload: delegation,
      encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    }),
    'an export': await run('export_private_key', 'EXPORT_PRIVATE_KEY', {
      privateKeyId,
      targetPublicKey: service.dev.signerPublicKey,
    }),
    'a deletion': await run('delete_private_keys', 'DELETE_PRIVATE_KEYS', {
      privateKeyIds: [privateKeyId],
      deleteWithoutExport: true,
    }),
    'a user': await run('create_users', 'CREATE_USERS_V4', { users }),
    'a policy': await run('create_policies', 'CREATE_POLICIES', { policies }),
    'a changed policy': await run('update_policy', 'UPDATE_POLICY_V2', { policyId, policyCondition: '' }),
    'a deleted policy': await run('delete_policy', 'DELETE_POLICY', { policyId }),
    'a second API key': await run('create_api_keys', 'CREATE_API_KEYS_V2', { userId: me.userId, apiKeys }),
    'a new root': await run('update_root_quorum', 'UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [me.userId] }),
  }
}

test('each plug-in has a user of its own, with three policies, and none is of the root', async (t) => {
  const operator = new Client(service.dev.baseUrl, service.dev.operator)
  const { json: quorum } = await operator.query('get_organization_configs')
  const { json: listed } = await operator.query('list_policies')
  t.is(listed.policies.length, 6)
  for (const [client, name] of [
    [facilitator, 'x402'],
    [relay, 'gas-relay'],
  ] as const) {
    const { json } = await client.query('whoami')
    t.is(json.username, name)
    t.false(quorum.configs.quorum.userIds.includes(json.userId))
    const own = listed.policies.filter((policy: { consensus: string }) => policy.consensus.includes(json.userId))
    t.is(own.length, 3)
  }
})

test('the facilitator’s key', async (t) => {
  const { x402, relay: relaying } = service.dev
  const from = x402.relayerAddress
  const split = { r: WORD, s: WORD, v: 27 } as const
  const detail = {
    from: SOMEBODY,
    to: SOMEBODY,
    value: '1',
    validAfter: '0',
    validBefore: '1',
    nonce: WORD,
    signature: WORD,
  }
  const data = transferCall({ ...detail, asset: x402.asset }, split)
  const bySignature = transferCall({ ...detail, asset: x402.asset }, undefined)
  const call = { to: x402.asset, data, gasLimit: 400_000n }
  const settlement = attempt(from, call, 'original', 200n * GWEI)
  const cancel = attempt(from, call, 'cancel', cancelCeiling(200n * GWEI))
  for (const unsigned of [settlement, changed(settlement, { data: bySignature }), cancel]) {
    t.is((await sign(facilitator, from, unsigned)).status, 200)
  }
  const transfer = encodeCall('TestToken', 'transfer', [SOMEBODY, 1n])
  const refused = {
    'a transfer': changed(settlement, { data: transfer }),
    'an approval': changed(settlement, { data: encodeCall('TestToken', 'approve', [SOMEBODY, 1n]) }),
    'another token': changed(settlement, { to: SOMEBODY }),
    'another chain': changed(settlement, { chainId: 1 }),
    'one wei': changed(settlement, { value: 1n }),
    'more gas': changed(settlement, { gas: 400_001n }),
    'a higher fee': changed(settlement, { maxFeePerGas: 200n * GWEI + 1n }),
    'a new contract': changed(settlement, { to: undefined }),
    'a cancel with one wei': changed(cancel, { value: 1n }),
    'a cancel to somebody': changed(cancel, { to: SOMEBODY }),
    'a cancel with more gas': changed(cancel, { gas: 21_001n }),
    'a cancel at a higher fee': changed(cancel, { maxFeePerGas: cancelCeiling(200n * GWEI) + 1n }),
  }
  for (const [what, unsigned] of Object.entries(refused)) {
    const { status, json } = await sign(facilitator, from, unsigned)
    t.deepEqual([status, json.code], [403, 7], what)
  }
  t.is((await sign(facilitator, relaying.relayerAddress, settlement)).status, 403, 'with the key of the relay')
  for (const [what, { status, json }] of Object.entries(await others(facilitator, from))) {
    t.deepEqual([status, json.code], [403, 7], what)
  }
})

test('the relay’s key', async (t) => {
  const { x402, relay: relaying } = service.dev
  const from = relaying.relayerAddress
  const operator = new Client(service.dev.baseUrl, service.dev.operator)
  const { json: listed } = await operator.query('list_policies')
  const guard = guardOf(listed.policies)
  const account = privateKeyToAccount(generatePrivateKey()).address
  const data = guarded(account, relaying.delegateAddress, encodeCall('BatchDelegate', 'execute', [WORD, '0x']))
  const call = { to: guard, data, gasLimit: 5_000_000n }
  const plain = attempt(from, call, 'original', 100n * GWEI)
  const delegating = attempt(from, { ...call, type4: true }, 'original', 100n * GWEI)
  const cancel = attempt(from, call, 'cancel', cancelCeiling(100n * GWEI))
  for (const unsigned of [plain, delegating, cancel]) t.is((await sign(relay, from, unsigned)).status, 200)
  const refused = {
    'another delegate': changed(plain, { data: guarded(account, SOMEBODY, '0x') }),
    'past the guard': changed(delegating, { to: account, data: encodeCall('BatchDelegate', 'execute', [WORD, '0x']) }),
    'a transfer of tokens': changed(plain, {
      to: x402.asset,
      data: encodeCall('TestToken', 'transfer', [SOMEBODY, 1n]),
    }),
    'another chain': changed(plain, { chainId: 1 }),
    'one wei': changed(delegating, { value: 1n }),
    'more gas': changed(plain, { gas: 5_000_001n }),
    'a higher fee': changed(plain, { maxFeePerGas: 100n * GWEI + 1n }),
    'a cancel with one wei': changed(cancel, { value: 1n }),
    'a cancel to somebody': changed(cancel, { to: SOMEBODY }),
    'a cancel with data': changed(cancel, { data: '0x00' }),
    'a cancel at a higher fee': changed(cancel, { maxFeePerGas: cancelCeiling(100n * GWEI) + 1n }),
  }
  for (const [what, unsigned] of Object.entries(refused)) {
    const { status, json } = await sign(relay, from, unsigned)
    t.deepEqual([status, json.code], [403, 7], what)
  }
  t.is((await sign(relay, x402.relayerAddress, plain)).status, 403, 'with the key of the facilitator')
  for (const [what, { status, json }] of Object.entries(await others(relay, from))) {
    t.deepEqual([status, json.code], [403, 7], what)
  }
})

/** The only contract that the relay's policies name. */
function guardOf(policies: { condition: string }[]): Address {
  const found = policies.map(
    ({ condition }) => /eth\.tx\.data\[98/.test(condition) && /tx\.to == '(0x\w{40})'/.exec(condition),
  )
  return (found.find((match) => match !== false && match !== null) as RegExpExecArray)[1] as Address
}

/** What policies see of real activities: the gate's facts of every vector under the documented names and types. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { activityFacts, isRootQuorumOnly, kindOf } from '../../../policies/facts/activity.ts'
import { conditionFacts } from '../../../policies/facts/condition-facts.ts'
import { payloadFacts } from '../../../policies/facts/payloads.ts'
import { keywords } from '../../../policies/facts/schema.ts'
import type { Type } from '../../../policies/language/types.ts'
import { transactionFormats } from '../../../signer-core/gate/transactions/index.ts'
import { tronContracts } from '../../../signer-core/gate/transactions/tron-contracts.ts'
import { payloadToSign } from '../../../signer-core/gate/payload.ts'
import type { JsonObject, JsonValue } from '../../../signer-core/protocol/strict-json.ts'
import { valueOf } from '../../support/policies.ts'
import { digest, hex, signerOf, transactionVectors } from '../../support/transactions.ts'
import { sampleTypedData } from '../../support/typed-data.ts'

const chains = {
  ethereum: ['TRANSACTION_TYPE_ETHEREUM', 'secp256k1'],
  solana: ['TRANSACTION_TYPE_SOLANA', 'ed25519'],
  tron: ['TRANSACTION_TYPE_TRON', 'secp256k1'],
  bitcoin: ['TRANSACTION_TYPE_BITCOIN', 'secp256k1'],
} as const
type Chain = keyof typeof chains

/** The gate's facts of each vector; one of Bitcoin's has a kind of input that is not offered. */
function vectorFacts(chain: Chain): { name: string; facts: JsonObject }[] {
  const [type, curve] = chains[chain]
  const vectors = transactionVectors<{ signWith?: string }>(chain).filter(({ name }) => !name.includes('P2SH-P2WPKH'))
  return vectors.map((vector) => {
    const key = vector.privateKeys?.[0] ?? vector.privateKey
    const signer = signerOf(curve, key, vector.signWith)
    const { facts } = transactionFormats[type].parse(hex(vector.unsignedTransaction), signer, digest)
    return { name: vector.name, facts }
  })
}

/** Members that the gate tells and the documentation does not name: no policy can ask for them. */
const untold = new Set([
  'eth.tx.access_list',
  'eth.tx.authorization_list',
  'eth.tx.blob_versioned_hashes',
  'solana.tx.spl_transfers.fee',
  'tron.tx.ref_block_num',
])

/** Every path of the facts that the schema does not have. */
function unknownPaths(type: Type, json: JsonValue, path: string): string[] {
  if (type.kind === 'list') return (json as JsonValue[]).flatMap((item) => unknownPaths(type.item, item, path))
  if (type.kind !== 'struct') return []
  return Object.entries(json as JsonObject).flatMap(([name, member]) => {
    const known = type.fields[name]
    const inner = path === '' ? name : `${path}.${name}`
    return known === undefined ? [inner] : unknownPaths(known, member, inner)
  })
}

/** Every path of the schema that some facts fill. */
function filledPaths(type: Type, json: JsonValue | undefined, path: string): string[] {
  if (json === undefined) return []
  if (type.kind === 'list' && type.item.kind !== 'struct') return [path]
  if (type.kind === 'list') return (json as JsonValue[]).flatMap((item) => filledPaths(type.item, item, path))
  if (type.kind !== 'struct') return [path]
  return Object.entries(type.fields).flatMap(([name, member]) =>
    filledPaths(member, (json as JsonObject)[name], path === '' ? name : `${path}.${name}`),
  )
}

function allPaths(type: Type, path: string): string[] {
  if (type.kind === 'list') return allPaths(type.item, path)
  if (type.kind !== 'struct') return [path]
  return Object.entries(type.fields).flatMap(([name, member]) =>
    allPaths(member, path === '' ? name : `${path}.${name}`),
  )
}

for (const [chain, count] of Object.entries({ ethereum: 18, solana: 10, tron: 7, bitcoin: 16 })) {
  test(`${chain}: the facts of ${count} vectors fit the schema, and it leaves out only what is listed`, (t) => {
    const vectors = vectorFacts(chain as Chain)
    t.is(vectors.length, count)
    for (const { name, facts } of vectors) {
      const [documented] = payloadFacts(facts) as [JsonObject]
      t.deepEqual(
        unknownPaths(keywords.condition, documented, '').filter((path) => !untold.has(path)),
        [],
        name,
      )
      const [read] = conditionFacts({ type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters: {}, payloads: facts })
      t.deepEqual([...(read?.keys() ?? [])].toSorted(), [...Object.keys(facts), 'activity'].toSorted(), name)
    }
  })
}

test('every documented field of a transaction is filled by some vector, or by a kind of Tron contract', (t) => {
  const filled = new Set(
    (Object.keys(chains) as Chain[]).flatMap((chain) =>
      vectorFacts(chain).flatMap(({ facts }) => filledPaths(keywords.condition, payloadFacts(facts)[0], '')),
    ),
  )
  const transactions = ['eth.tx', 'solana.tx', 'tron.tx', 'bitcoin.tx']
  const empty = allPaths(keywords.condition, '').filter(
    (path) => transactions.some((each) => path.startsWith(`${each}.`)) && !filled.has(path),
  )
  // Not every kind of Tron contract has a vector; the gate's own tests read each.
  const fields = Object.values(tronContracts).flatMap(({ message }) => Object.values(message).map(({ name }) => name))
  const tron = new Set(fields.map((name) => `tron.tx.contract.${name}`))
  t.deepEqual(
    empty.filter((path) => !tron.has(path.replace(/(votes)\..*$/, '$1'))),
    [],
  )
})

const holds = (text: string, facts: ReturnType<typeof conditionFacts>) =>
  valueOf(text, keywords.condition, facts[0] as never)
const signing = (payloads: JsonObject) =>
  conditionFacts({ type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters: { type: 'any' }, payloads })
const named = (chain: Chain, part: string) =>
  vectorFacts(chain).find(({ facts }) => JSON.stringify(facts).includes(part))?.facts as JsonObject

test('policies over real transactions', (t) => {
  const ethereum = signing(named('ethereum', 'TYPE_2'))
  t.is(holds("eth.tx.type == 'TYPE_2' && eth.tx.gas_price == eth.tx.max_fee_per_gas && eth.tx.gas > 0", ethereum), true)
  t.is(holds("solana.tx.recent_blockhash == 'x'", ethereum), 'missing_field')
  t.is(holds('eth.tx.max_fee_per_blob_gas > 0', ethereum), 'missing_field')
  t.is(holds('eth.tx.max_fee_per_gas > 0', signing(named('ethereum', 'LEGACY'))), 'missing_field')

  const solana = signing(named('solana', 'ADDRESS_TABLE_LOOKUP'))
  t.is(holds('solana.tx.address_table_lookups.count() > 0', solana), true)
  t.is(
    holds('solana.tx.instructions.any(i, i.address_table_lookups.any(l, l.writable_indexes.count() == 1))', solana),
    true,
  )
  t.is(holds("solana.tx.instructions.any(i, i.accounts.any(a, a.account_key == 'ADDRESS_TABLE_LOOKUP'))", solana), true)

  const tron = signing(named('tron', 'TransferContract'))
  t.is(holds("tron.tx.contract[0].type == 'TransferContract' && tron.tx.contract[0].amount > 0", tron), true)
  t.is(holds("tron.tx.contract[0].contract_address == 'x'", tron), 'missing_field')

  const bitcoin = signing(vectorFacts('bitcoin')[0]?.facts as JsonObject)
  t.is(holds("bitcoin.tx.outputs.all(o, o.value > 0) && bitcoin.tx.locktime.type == 'Blocks'", bitcoin), true)
  t.is(holds('bitcoin.tx.inputs.all(i, i.vout >= 0 && i.sequence > 0)', bitcoin), true)
})

const rawPayload = (
  payload: string,
  encoding: 'PAYLOAD_ENCODING_EIP712' | 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
) => {
  const parameters = { payload, encoding, hashFunction: 'HASH_FUNCTION_NO_OP' } as const
  const { facts } = payloadToSign(parameters, 'secp256k1', digest)
  return conditionFacts({ type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters, payloads: facts })
}

test('policies over typed data and authorizations', (t) => {
  const data = {
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: `0x${'AB'.repeat(20)}` },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Line: [{ name: 'amount', type: 'int256' }],
      Order: [
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'lines', type: 'Line[]' },
        { name: 'open', type: 'bool' },
      ],
    },
    primaryType: 'Order',
    message: { to: `0x${'cd'.repeat(20)}`, value: '0x10', lines: [{ amount: -5 }, { amount: 7 }], open: true },
  }
  const facts = rawPayload(JSON.stringify(data), 'PAYLOAD_ENCODING_EIP712')
  const domain = "eth.eip_712.domain.name == 'USD Coin' && eth.eip_712.domain.chain_id == 8453"
  t.is(holds(`${domain} && eth.eip_712.domain.verifying_contract == '0x${'aB'.repeat(20)}'`, facts), true)
  t.is(holds("eth.eip_712.primary_type == 'Order' && eth.eip_712.message['value'] <= 16", facts), true)
  t.is(holds('eth.eip_712.message.lines.all(l, l.amount >= -5) && eth.eip_712.message.open', facts), true)
  t.is(holds("eth.eip_712.message['to'] > 5", facts), 'wrong_type')
  t.is(holds("eth.eip_712.domain.salt == '0x'", facts), 'missing_field')
  t.is(holds("activity.params.encoding == 'PAYLOAD_ENCODING_EIP712'", facts), true)
  t.notThrows(() => rawPayload(JSON.stringify(sampleTypedData()), 'PAYLOAD_ENCODING_EIP712'))

  // Some chains write the chain id as a text: then it is one.
  data.types.EIP712Domain[2] = { name: 'chainId', type: 'string' }
  const texts = rawPayload(
    JSON.stringify({ ...data, domain: { ...data.domain, chainId: 'mainnet' } }),
    'PAYLOAD_ENCODING_EIP712',
  )
  t.is(holds("eth.eip_712.domain.chain_id == 'mainnet'", texts), true)
  t.is(holds('eth.eip_712.domain.chain_id == 8453', texts), 'wrong_type')

  const authorization = JSON.stringify({ address: `0x${'ab'.repeat(20)}`, chainId: 0, nonce: 7 })
  const code = rawPayload(authorization, 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION')
  const address = `eth.eip_7702_authorization.address == '0x${'AB'.repeat(20)}'`
  t.is(
    holds(`${address} && eth.eip_7702_authorization.nonce == 7 && eth.eip_7702_authorization.chain_id == 0`, code),
    true,
  )
  t.is(holds('eth.tx.nonce == 7', code), 'missing_field')
})

test('keys and wallets are there when the activity has them', (t) => {
  const key = { id: 'k', tags: ['hot'], imported: false, exported: false, label: 'Key' }
  const wallet = { id: 'w', imported: true, exported: false, label: 'Wallet' }
  const base = { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', parameters: {} }
  const byKey = conditionFacts({ ...base, private_key: key })
  t.is(
    holds("private_key.tags.contains('hot') && private_key.exported == false && private_key.label == 'Key'", byKey),
    true,
  )
  t.is(holds("wallet.id == 'w'", byKey), 'missing_field')
  const byWallet = conditionFacts({ ...base, wallet, wallets: [wallet], wallet_account: { address: '0xab' } })
  t.is(holds("wallet.imported && wallets[0].id == 'w' && wallet_account.address == '0xAB'", byWallet), true)
  t.is(holds("private_key.id == 'k'", byWallet), 'missing_field')
})

test('one set of facts for each payload that differs', (t) => {
  const [a, b] = [{ eth: { a: 1 } }, { eth: { a: 2 } }] as [JsonObject, JsonObject]
  t.deepEqual(payloadFacts({ payloads: [a, b, a] }), [a, b])
  t.deepEqual(payloadFacts({ payloads: [{}, {}] }), [{}])
  t.deepEqual(payloadFacts(), [{}])
})

interface ActivityTypeVector {
  type: string
  kind: string
  path: string | null
}
const { activityTypes } = JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors/enums.json'), 'utf8')) as {
  activityTypes: ActivityTypeVector[]
}

test('169 activity types: kind without prefix and version', (t) => {
  t.is(activityTypes.length, 169)
  for (const { type, kind } of activityTypes) t.is(kindOf(type), kind, type)
})

test('resource and action, and nothing where none is documented', (t) => {
  const told = (type: string) => {
    const { resource, action } = activityFacts(type, {}) as Record<string, string | undefined>
    return resource === undefined ? 'none' : `${resource} ${action}`
  }
  t.is(told('ACTIVITY_TYPE_SIGN_TRANSACTION'), 'PRIVATE_KEY SIGN')
  t.is(told('ACTIVITY_TYPE_SIGN_TRANSACTION_V2'), 'PRIVATE_KEY SIGN')
  t.is(told('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT'), 'WALLET EXPORT')
  t.is(told('ACTIVITY_TYPE_CREATE_POLICIES'), 'POLICY CREATE')
  t.is(told('ACTIVITY_TYPE_DELETE_API_KEYS'), 'CREDENTIAL DELETE')
  t.is(told('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8'), 'ORGANIZATION CREATE')
  t.is(told('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM'), 'none')
  t.is(told('ACTIVITY_TYPE_APPROVE_ACTIVITY'), 'none')
  t.is(told('ACTIVITY_TYPE_SIGN_EVERYTHING'), 'none')
  const signs = activityTypes.filter(({ type }) => told(type).endsWith(' SIGN'))
  t.true(signs.length >= 8 && signs.every(({ type }) => /SIGN|SEND_TRANSACTION|UNDELEGATE/.test(type)))
})

test('parameters that are shown, each under its documented name, and no others', (t) => {
  const params = (type: string, parameters: JsonObject) => activityFacts(`ACTIVITY_TYPE_${type}`, parameters).params
  const signature = { encoding: 'E', hashFunction: 'H', payload: 'secret', signWith: 'k' }
  t.deepEqual(params('SIGN_RAW_PAYLOAD_V2', signature), { hash_function: 'H', encoding: 'E' })
  t.deepEqual(params('SIGN_RAW_PAYLOADS', signature), { hash_function: 'H', encoding: 'E' })
  t.deepEqual(params('SIGN_TRANSACTION_V2', { type: 'T', unsignedTransaction: 'x' }), { type: 'T' })
  t.deepEqual(params('EXPORT_PRIVATE_KEY', { targetPublicKey: '04', privateKeyId: 'k' }), { target_public_key: '04' })
  t.deepEqual(params('EXPORT_WALLET', { targetPublicKey: '04' }), { target_public_key: '04' })
  t.deepEqual(params('EXPORT_WALLET_ACCOUNT', { targetPublicKey: '04' }), { target_public_key: '04' })
  t.deepEqual(params('DELETE_USERS', { userIds: ['a'] }), { user_ids: ['a'] })
  t.deepEqual(params('CREATE_API_KEYS_V2', { userId: 'a', apiKeys: [] }), { user_id: 'a' })
  t.deepEqual(params('DELETE_API_KEYS', { userId: 'a', apiKeyIds: ['b'] }), { user_id: 'a', api_key_ids: ['b'] })
  t.deepEqual(params('UPDATE_WALLET', { walletId: 'w' }), { wallet_id: 'w' })
  t.deepEqual(params('CREATE_WALLET', { walletName: 'w' }), {})
  t.deepEqual(params('DELETE_USERS', {}), {})
})

test('what only the root quorum may do', (t) => {
  const only = activityTypes.filter(({ type }) => isRootQuorumOnly(type)).map(({ kind }) => kind)
  const expected = [
    'UPDATE_ROOT_QUORUM',
    'SET_ORGANIZATION_FEATURE',
    'REMOVE_ORGANIZATION_FEATURE',
    'UPDATE_ORGANIZATION_NAME',
  ]
  t.deepEqual(only.toSorted(), expected.toSorted())
})

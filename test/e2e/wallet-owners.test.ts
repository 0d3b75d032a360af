/** Whose wallets are whose: what another organization has is answered, byte for byte, like what nobody has. */
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { Client, type HttpAnswer } from '../support/client.ts'
import { startService } from '../support/service.ts'

/** A new wallet's seed costs the reference engine seconds, and more while other tests run. */
const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '60000', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }
const service = await startService({ environment })
test.after.always(() => service.dispose())
const owner = new Client(service.dev.baseUrl, service.dev)
const stranger = new Client(service.dev.baseUrl, service.dev.operator)
const targetPublicKey = service.dev.signerPublicKey

const account = (i: number) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: `m/44'/60'/0'/0/${i}`,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
})

let walletId: string
let walletAccountId: string
let address: string
let privateKeyId: string
test.before(async () => {
  const parameters = { walletName: 'own', accounts: [account(0)] }
  const { json } = await owner.submit('create_wallet', 'ACTIVITY_TYPE_CREATE_WALLET', parameters)
  walletId = json.activity.result.createWalletResult.walletId
  address = json.activity.result.createWalletResult.addresses[0]
  walletAccountId = (await owner.query('list_wallet_accounts')).json.accounts[0].walletAccountId
  ;({ privateKeyId } = await owner.createKey('CURVE_SECP256K1'))
})

interface Named {
  walletId: string
  walletAccountId: string
  address: string
  privateKeyId: string
}
type Call = (client: Client, named: Named) => Promise<HttpAnswer>
const submit = (path: string, parametersOf: (named: Named) => object): [string, Call] => [
  path,
  (client, named) => client.submit(path, `ACTIVITY_TYPE_${path.toUpperCase()}`, parametersOf(named)),
]
const query = (name: string, parametersOf: (named: Named) => object): [string, Call] => [
  name,
  (client, named) => client.query(name, parametersOf(named)),
]
const calls: [string, Call][] = [
  submit('create_wallet_accounts', (named) => ({ walletId: named.walletId, accounts: [account(1)] })),
  submit('update_wallet', (named) => ({ walletId: named.walletId, walletName: 'mine' })),
  submit('export_wallet', (named) => ({ walletId: named.walletId, targetPublicKey })),
  submit('export_wallet_account', (named) => ({ address: named.address, targetPublicKey })),
  submit('export_private_key', (named) => ({ privateKeyId: named.privateKeyId, targetPublicKey })),
  submit('delete_wallets', (named) => ({ walletIds: [named.walletId], deleteWithoutExport: true })),
  submit('delete_wallet_accounts', (named) => ({
    walletAccountIds: [named.walletAccountId],
    deleteWithoutExport: true,
  })),
  submit('delete_private_keys', (named) => ({ privateKeyIds: [named.privateKeyId], deleteWithoutExport: true })),
  query('get_wallet', (named) => ({ walletId: named.walletId })),
  query('list_wallet_accounts', (named) => ({ walletId: named.walletId })),
  query('list_wallet_accounts', (named) => ({ paginationOptions: { after: named.walletAccountId } })),
  query('get_wallet_account', (named) => ({ walletId: named.walletId, path: account(0).path })),
  ['sign', (client, named) => client.sign(named.address, 'x', 'HASH_FUNCTION_SHA256')],
  ['sign by id', (client, named) => client.sign(named.walletAccountId, 'x', 'HASH_FUNCTION_SHA256')],
]

test('a stranger’s answer is that for an unknown id, and changes nothing', async (t) => {
  const own = { walletId, walletAccountId, address, privateKeyId }
  const unknown = {
    walletId: randomUUID(),
    walletAccountId: randomUUID(),
    address: `0x${'12'.repeat(20)}`,
    privateKeyId: randomUUID(),
  }
  const before = await state()
  for (const [name, call] of calls) {
    const answer = await call(stranger, own)
    t.is(answer.status, 404, `${name}: ${answer.text}`)
    t.is(answer.text, (await call(stranger, unknown)).text, name)
  }
  t.deepEqual((await stranger.query('list_wallets')).json, { wallets: [] })
  t.deepEqual((await stranger.query('list_wallet_accounts')).json, { accounts: [] })
  t.is(await state(), before)
  // The stranger's attempt on a path has not taken it.
  const created = await calls[0]?.[1](owner, own)
  t.is(created?.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

async function state(): Promise<string> {
  const queries = ['list_wallets', 'list_wallet_accounts', 'list_private_keys']
  return (await Promise.all(queries.map(async (name) => (await owner.query(name)).text))).join('\n')
}

test('an account is no private key, and a private key no account', async (t) => {
  const deleting = { deleteWithoutExport: true }
  const send = (path: string, parameters: object) =>
    owner.submit(path, `ACTIVITY_TYPE_${path.toUpperCase()}`, parameters)
  const asKey = { privateKeyIds: [walletAccountId], ...deleting }
  t.is((await send('delete_private_keys', asKey)).status, 404)
  const exporting = { privateKeyId: walletAccountId, targetPublicKey }
  t.is((await send('export_private_key', exporting)).status, 404)
  const asAccount = { walletAccountIds: [privateKeyId], ...deleting }
  t.is((await send('delete_wallet_accounts', asAccount)).status, 404)
})

test('an account is asked for by address or path, and both must be its own', async (t) => {
  const get = async (named: object) => (await owner.query('get_wallet_account', { walletId, ...named })).status
  t.is(await get({}), 400)
  t.is(await get({ address, path: account(0).path }), 200)
  t.is(await get({ address: address.toLowerCase() }), 200)
  t.is(await get({ address, path: 'm/9' }), 404)
  t.is(await get({ address: `0x${'12'.repeat(20)}`, path: account(0).path }), 404)
})

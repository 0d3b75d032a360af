/** Deleting keys, accounts and wallets with the unmodified SDK: what is refused, what is gone, what stays. */
import { encryptPrivateKeyToBundle, generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyRequestError } from '@turnkey/sdk-server'
import test, { type ExecutionContext } from 'ava'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { activitiesSpec, privateKeysSpec, walletAccountsSpec, walletsSpec } from '../../gateway/documents.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { turnkeyClient } from './turnkey-client.ts'

/** A new wallet's seed costs the reference engine seconds, and more while other tests run. */
const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '60000', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }
const service = await startService({ environment })
test.after.always(() => service.dispose())
const { organizationId, signerPublicKey } = service.dev
const client = turnkeyClient(service.dev)
const { publicKeyUncompressed: targetPublicKey } = generateP256KeyPair()

const NOT_FOUND = 5
const PRECONDITION = 9

async function assertRefused(t: ExecutionContext, call: Promise<unknown>, code: number): Promise<void> {
  const error = await t.throwsAsync(call, { instanceOf: TurnkeyRequestError })
  t.is(error?.code, code, error?.message)
}

const sign = (signWith: string) =>
  client.signRawPayload({
    signWith,
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_KECCAK256',
  })

async function createKeys(count: number): Promise<{ privateKeyId: string; address: string }[]> {
  const { privateKeys } = await client.createPrivateKeys({
    privateKeys: Array.from({ length: count }, (_, i) => ({
      privateKeyName: `key ${i}`,
      curve: 'CURVE_SECP256K1' as const,
      privateKeyTags: [],
      addressFormats: ['ADDRESS_FORMAT_ETHEREUM' as const],
    })),
  })
  return privateKeys.map(({ privateKeyId, addresses }) => ({
    privateKeyId: privateKeyId as string,
    address: addresses?.[0]?.address as string,
  }))
}

const listedKeys = async () => (await client.getPrivateKeys()).privateKeys.map((each) => each.privateKeyId)

test.serial('keys are listed in order of creation and of their request', async (t) => {
  const made = [...(await createKeys(8)), ...(await createKeys(1)), ...(await createKeys(8))]
  const privateKeyIds = made.map((each) => each.privateKeyId)
  t.deepEqual(await listedKeys(), privateKeyIds)
  await client.deletePrivateKeys({ privateKeyIds, deleteWithoutExport: true })
  t.deepEqual(await listedKeys(), [])
})

test.serial('a key that was never exported is deleted only when asked to, and is gone then', async (t) => {
  const [one, two, three] = (await createKeys(3)) as [
    { privateKeyId: string; address: string },
    { privateKeyId: string; address: string },
    { privateKeyId: string; address: string },
  ]
  const both = [two.privateKeyId, one.privateKeyId]
  await assertRefused(t, client.deletePrivateKeys({ privateKeyIds: both }), PRECONDITION)
  await assertRefused(t, client.deletePrivateKeys({ privateKeyIds: both, deleteWithoutExport: false }), PRECONDITION)
  await client.exportPrivateKey({ privateKeyId: one.privateKeyId, targetPublicKey })
  await assertRefused(t, client.deletePrivateKeys({ privateKeyIds: both }), PRECONDITION)
  const deleted = await client.deletePrivateKeys({ privateKeyIds: [one.privateKeyId] })
  t.deepEqual(deleted.privateKeyIds, [one.privateKeyId])
  const more = await client.deletePrivateKeys({ privateKeyIds: [two.privateKeyId], deleteWithoutExport: true })
  t.is(more.activity.status, 'ACTIVITY_STATUS_COMPLETED')
  t.deepEqual(await listedKeys(), [three.privateKeyId])
  for (const { privateKeyId, address } of [one, two]) {
    await assertRefused(t, sign(privateKeyId), NOT_FOUND)
    await assertRefused(t, sign(address), NOT_FOUND)
    await assertRefused(t, client.getPrivateKey({ privateKeyId }), NOT_FOUND)
    await assertRefused(t, client.exportPrivateKey({ privateKeyId, targetPublicKey }), NOT_FOUND)
    const again = { privateKeyIds: [privateKeyId], deleteWithoutExport: true, timestampMs: String(Date.now()) }
    await assertRefused(t, client.deletePrivateKeys(again), NOT_FOUND)
  }
  t.is((await sign(three.address)).activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test.serial('a key that was imported twice signs until both are deleted, and again after a third import', async (t) => {
  const privateKey = generatePrivateKey()
  const address = privateKeyToAddress(privateKey)
  const { userId } = await client.getWhoami()
  const importOnce = async (): Promise<string> => {
    const { importBundle } = await client.initImportPrivateKey({ userId })
    const encryptedBundle = await encryptPrivateKeyToBundle({
      privateKey,
      keyFormat: 'HEXADECIMAL',
      importBundle,
      userId,
      organizationId,
      dangerouslyOverrideSignerPublicKey: signerPublicKey,
    })
    const addressFormats = ['ADDRESS_FORMAT_ETHEREUM' as const]
    const wanted = { userId, privateKeyName: 'i', encryptedBundle, curve: 'CURVE_SECP256K1' as const, addressFormats }
    return (await client.importPrivateKey(wanted)).privateKeyId
  }
  const [first, second] = [await importOnce(), await importOnce()]
  t.not(first, second)
  const remove = (privateKeyId: string) =>
    client.deletePrivateKeys({ privateKeyIds: [privateKeyId], deleteWithoutExport: true })
  const before = await sign(address)
  await remove(first)
  t.is((await sign(address)).r, before.r)
  await remove(second)
  await assertRefused(t, sign(address), NOT_FOUND)
  const third = await importOnce()
  t.is((await sign(address)).r, before.r)
  await remove(third)
})

const account = (i: number) => ({
  curve: 'CURVE_SECP256K1' as const,
  pathFormat: 'PATH_FORMAT_BIP32' as const,
  path: `m/44'/60'/0'/0/${i}`,
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM' as const,
})

test.serial('accounts and wallets are deleted, and paths and addresses are free again', async (t) => {
  const accounts = [account(0), account(1), account(2)]
  const { walletId, addresses } = await client.createWallet({ walletName: 'w', accounts })
  const other = await client.createWallet({ walletName: 'other', accounts: [account(0)] })
  const idsNow = async () => (await client.getWalletAccounts({ walletId })).accounts.map((each) => each.walletAccountId)
  const [zero, one, two] = (await idsNow()) as [string, string, string]

  await assertRefused(t, client.deleteWalletAccounts({ walletAccountIds: [zero] }), PRECONDITION)
  await client.exportWalletAccount({ address: addresses[0] as string, targetPublicKey })
  const deleted = await client.deleteWalletAccounts({ walletAccountIds: [zero] })
  t.deepEqual(deleted.walletAccountIds, [zero])
  await client.deleteWalletAccounts({ walletAccountIds: [one], deleteWithoutExport: true })
  t.deepEqual(await idsNow(), [two])
  const after = async (id: string) =>
    (await client.getWalletAccounts({ walletId, paginationOptions: { after: id } })).accounts.length
  t.is(await after(zero), 1, 'a page goes on from a deleted account')
  await assertRefused(t, sign(addresses[0] as string), NOT_FOUND)
  await assertRefused(t, client.getWalletAccount({ walletId, path: account(0).path }), NOT_FOUND)
  await assertRefused(
    t,
    client.exportWalletAccount({ address: addresses[0] as string, targetPublicKey, timestampMs: '1' }),
    NOT_FOUND,
  )

  const again = await client.createWalletAccounts({ walletId, accounts: [account(0)] })
  t.deepEqual(again.addresses, [addresses[0] as string])
  t.is((await sign(addresses[0] as string)).activity.status, 'ACTIVITY_STATUS_COMPLETED')
  const ids = await idsNow()
  t.false(ids.includes(zero), 'a new account under the old address')
  t.is(ids.length, 2)

  await assertRefused(t, client.deleteWallets({ walletIds: [walletId] }), PRECONDITION)
  await client.exportWallet({ walletId, targetPublicKey })
  // With its wallet an account has left.
  await client.deleteWalletAccounts({ walletAccountIds: [two] })
  t.deepEqual((await client.deleteWallets({ walletIds: [walletId] })).walletIds, [walletId])
  for (const call of [
    sign(addresses[0] as string),
    client.getWallet({ walletId }),
    client.getWalletAccounts({ walletId }),
    client.createWalletAccounts({ walletId, accounts: [account(5)] }),
    client.updateWallet({ walletId, walletName: 'x' }),
    client.exportWallet({ walletId, targetPublicKey, timestampMs: '2' }),
    client.deleteWallets({ walletIds: [walletId], deleteWithoutExport: true }),
  ]) {
    await assertRefused(t, call, NOT_FOUND)
  }
  t.deepEqual(
    (await client.getWallets()).wallets.map((each) => each.walletId),
    [other.walletId],
  )
  t.is((await client.getWalletAccounts({})).accounts.length, 1)
  t.is((await sign(other.addresses[0] as string)).activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test.serial('of requests for one path at once exactly one is answered with an account', async (t) => {
  const [wallet] = (await client.getWallets()).wallets
  const walletId = wallet?.walletId as string
  const raw = new Client(service.dev.baseUrl, service.dev)
  const type = 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS'
  const formats = ['ADDRESS_FORMAT_ETHEREUM', 'ADDRESS_FORMAT_TRON', 'ADDRESS_FORMAT_COSMOS', 'ADDRESS_FORMAT_XRP']
  const answers = await Promise.all(
    formats.map((addressFormat) =>
      raw.submit('create_wallet_accounts', type, { walletId, accounts: [{ ...account(9), addressFormat }] }),
    ),
  )
  t.deepEqual(
    answers.map((each) => each.status).toSorted((a, b) => a - b),
    [200, 400, 400, 400],
  )
  const won = answers.find((each) => each.status === 200)?.json.activity.result.createWalletAccountsResult.addresses
  const { account: kept } = await client.getWalletAccount({ walletId, path: account(9).path })
  t.deepEqual(won, [kept.address])
})

test.serial('what is deleted stays for the audit, without its sealed bytes', async (t) => {
  await service.stop()
  const store = await openStore({ dataDir: service.dataDir })
  t.teardown(() => store.close())
  const everything = { where: {}, sort: '_id', limit: 1000 } as const
  const keys = (await store.collection(privateKeysSpec).find(everything)).items
  const accounts = (await store.collection(walletAccountsSpec).find(everything)).items
  const wallets = (await store.collection(walletsSpec).find(everything)).items
  const sealed = [
    ...[...keys, ...accounts].map((each) => [each.state, each.sealedKey.sealed, each.deletedAtMs] as const),
    ...wallets.map((each) => [each.state, each.sealedWallet.sealed, each.deletedAtMs] as const),
  ]
  t.is(sealed.filter(([state]) => state === 'living').length, 4, 'a key, a wallet and its two accounts')
  t.is(sealed.filter(([state]) => state === 'deleted').length, 17 + 2 + 3 + 4 + 1)
  for (const [state, bytes, deletedAtMs] of sealed) {
    t.is(bytes === '', state === 'deleted')
    t.is(typeof deletedAtMs, state === 'deleted' ? 'number' : 'undefined')
  }
  const activities = (await store.collection(activitiesSpec).find(everything)).items
  t.true(activities.every((each) => each.newKeys === undefined && each.newWallets === undefined))
})

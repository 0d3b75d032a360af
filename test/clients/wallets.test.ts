/** Wallets with the unmodified SDKs: created, derived from, signed with, exported, imported, renamed, listed. */
import { decryptExportBundle, encryptWalletToBundle, generateP256KeyPair } from '@turnkey/crypto'
import test from 'ava'
import { hashMessage, recoverAddress, type Hex } from 'viem'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { startService } from '../support/service.ts'
import { turnkeyClient } from './turnkey-client.ts'

/** A new wallet's seed costs the reference engine seconds, and more while other tests run. */
const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '60000', KEYSTEAD_SIGNER_DEADLINE_MS: '60000' }
const service = await startService({ environment })
test.after.always(() => service.dispose())
const { organizationId, signerPublicKey } = service.dev
const client = turnkeyClient(service.dev)

const ethereumPath = (i: number) => `m/44'/60'/0'/0/${i}` as const
const ethereum = (i: number) => ({
  curve: 'CURVE_SECP256K1' as const,
  pathFormat: 'PATH_FORMAT_BIP32' as const,
  path: ethereumPath(i),
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM' as const,
})
const solana = {
  curve: 'CURVE_ED25519' as const,
  pathFormat: 'PATH_FORMAT_BIP32' as const,
  path: "m/44'/501'/0'/0'",
  addressFormat: 'ADDRESS_FORMAT_SOLANA' as const,
}

type Target = ReturnType<typeof generateP256KeyPair>
const opened = (exportBundle: string, target: Target, returnMnemonic: boolean) =>
  decryptExportBundle({
    exportBundle,
    embeddedKey: target.privateKey,
    organizationId,
    dangerouslyOverrideSignerPublicKey: signerPublicKey,
    keyFormat: 'HEXADECIMAL',
    returnMnemonic,
  })

async function signerOf(address: string, message: string): Promise<string> {
  const hash = hashMessage(message)
  const { r, s, v } = await client.signRawPayload({
    signWith: address,
    payload: hash,
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  })
  const signature = `0x${r}${s}${v === '00' ? '1b' : '1c'}` as Hex
  return recoverAddress({ hash, signature })
}

let walletId: string
let addresses: [Hex, string, Hex]
let mnemonic: string
test.before(async () => {
  const accounts = [ethereum(0), solana, { ...ethereum(1), name: 'second account' }]
  const created = await client.createWallet({ walletName: 'first', accounts })
  walletId = created.walletId
  addresses = created.addresses as typeof addresses
})

test.serial('a new wallet has the accounts asked for, in order, and is listed', async (t) => {
  t.is(addresses.length, 3)
  const { wallets } = await client.getWallets()
  t.is(wallets.length, 1)
  t.like(wallets[0], { walletId, walletName: 'first', exported: false, imported: false })
  const { wallet } = await client.getWallet({ walletId })
  t.deepEqual(wallet, wallets[0])
  const { accounts } = await client.getWalletAccounts({ walletId })
  t.deepEqual(
    accounts.map((each) => [each.path, each.curve, each.addressFormat, each.address, each.name]),
    [
      [ethereumPath(0), 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM', addresses[0], undefined],
      [solana.path, 'CURVE_ED25519', 'ADDRESS_FORMAT_SOLANA', addresses[1], undefined],
      [ethereumPath(1), 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM', addresses[2], 'second account'],
    ],
  )
  t.true(accounts.every((each) => each.walletId === walletId && each.organizationId === organizationId))
  t.is(accounts[0]?.walletDetails, undefined)
  const detailed = await client.getWalletAccounts({ walletId, includeWalletDetails: true })
  t.deepEqual(detailed.accounts[2]?.walletDetails, wallet)
  const [account] = accounts
  t.deepEqual((await client.getWalletAccount({ walletId, path: ethereumPath(0) })).account, account)
  t.deepEqual((await client.getWalletAccount({ walletId, address: addresses[0] })).account, account)
})

test.serial('an account signs under its address, and the signature is its own', async (t) => {
  t.is(await signerOf(addresses[0], 'hello'), addresses[0])
  t.is(await signerOf(addresses[2].toLowerCase(), 'hello'), addresses[2])
  const { activity } = await client.signRawPayload({
    signWith: addresses[1],
    payload: 'hello',
    encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
  })
  t.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
})

test.serial('the exported mnemonic leads to the same addresses, and the wallet is marked', async (t) => {
  const target = generateP256KeyPair()
  const { exportBundle } = await client.exportWallet({ walletId, targetPublicKey: target.publicKeyUncompressed })
  mnemonic = await opened(exportBundle, target, true)
  t.is(mnemonic.split(' ').length, 12)
  t.is(mnemonicToAccount(mnemonic, { path: ethereumPath(0) }).address, addresses[0])
  t.is(mnemonicToAccount(mnemonic, { path: ethereumPath(1) }).address, addresses[2])
  t.true((await client.getWallet({ walletId })).wallet.exported)
  t.false(service.output().includes(mnemonic))
  const japanese = client.exportWallet({
    walletId,
    targetPublicKey: target.publicKeyUncompressed,
    language: 'MNEMONIC_LANGUAGE_JAPANESE',
  })
  await t.throwsAsync(japanese, { message: /only MNEMONIC_LANGUAGE_ENGLISH/ })
})

test.serial('the exported account is its private key', async (t) => {
  const target = generateP256KeyPair()
  const { address, exportBundle } = await client.exportWalletAccount({
    address: addresses[0],
    targetPublicKey: target.publicKeyUncompressed,
  })
  t.is(address, addresses[0])
  t.is(privateKeyToAddress(`0x${await opened(exportBundle, target, false)}`), addresses[0])
})

test.serial('more accounts are kept, or only shown', async (t) => {
  const expected = (i: number) => mnemonicToAccount(mnemonic, { path: ethereumPath(i) }).address as string
  const shown = await client.createWalletAccounts({ walletId, accounts: [ethereum(7)], persist: false })
  t.deepEqual(shown.addresses, [expected(7)])
  t.is((await client.getWalletAccounts({ walletId })).accounts.length, 3)
  await t.throwsAsync(signerOf(expected(7), 'x'), { message: /no private key found/ })
  const kept = await client.createWalletAccounts({ walletId, accounts: [ethereum(7), ethereum(3)] })
  t.deepEqual(kept.addresses, [expected(7), expected(3)])
  t.is(await signerOf(expected(3), 'x'), expected(3))
  await t.throwsAsync(client.createWalletAccounts({ walletId, accounts: [ethereum(9), ethereum(3)] }), {
    message: /the wallet has an account at this path/,
  })
  await t.throwsAsync(client.createWalletAccounts({ walletId, accounts: [ethereum(0)] }), { message: /at this path/ })
  const { accounts } = await client.getWalletAccounts({ walletId })
  t.deepEqual(
    accounts.map((each) => each.path),
    [ethereumPath(0), solana.path, ethereumPath(1), ethereumPath(7), ethereumPath(3)],
  )
})

test.serial('pages of accounts follow each other in both directions', async (t) => {
  const all = (await client.getWalletAccounts({ walletId })).accounts.map((each) => each.walletAccountId)
  const page = async (paginationOptions: { limit?: string; before?: string; after?: string }) =>
    (await client.getWalletAccounts({ walletId, paginationOptions })).accounts.map((each) => each.walletAccountId)
  t.deepEqual(await page({ limit: '2' }), all.slice(0, 2))
  t.deepEqual(await page({ limit: '2', after: all[1] as string }), all.slice(2, 4))
  t.deepEqual(await page({ limit: '2', after: all[3] as string }), all.slice(4))
  t.deepEqual(await page({ limit: '2', before: all[4] as string }), all.slice(2, 4))
  t.deepEqual(await page({ limit: '3', before: all[1] as string }), all.slice(0, 1))
  t.deepEqual(await page({ after: all[4] as string }), [])
})

test.serial('an imported wallet is the wallet, once per target', async (t) => {
  const { userId } = await client.getWhoami()
  const { importBundle } = await client.initImportWallet({ userId })
  const encryptedBundle = await encryptWalletToBundle({
    mnemonic,
    importBundle,
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: signerPublicKey,
  })
  const wanted = { userId, walletName: 'again', encryptedBundle, accounts: [ethereum(0), ethereum(2)] }
  const imported = await client.importWallet(wanted)
  t.deepEqual(imported.addresses, [addresses[0], mnemonicToAccount(mnemonic, { path: ethereumPath(2) }).address])
  t.like((await client.getWallet({ walletId: imported.walletId })).wallet, { imported: true, exported: false })
  await t.throwsAsync(client.importWallet({ ...wanted, walletName: 'third' }), { message: /no import was begun/ })
  // Two living accounts have this address now, and it still signs.
  t.is(await signerOf(addresses[0], 'two of them'), addresses[0])
  const { account } = await client.getWalletAccount({ walletId: imported.walletId, address: addresses[0] })
  t.is(account.walletId, imported.walletId)
  t.is((await client.getWalletAccounts({})).accounts.length, 7)
})

test.serial('a bad mnemonic says so in the words that clients look for', async (t) => {
  const { userId } = await client.getWhoami()
  const { importBundle } = await client.initImportWallet({ userId })
  const encryptedBundle = await encryptWalletToBundle({
    mnemonic: `${mnemonic}\npassphrase`,
    importBundle,
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: signerPublicKey,
  })
  const importing = client.importWallet({ userId, walletName: 'bad', encryptedBundle, accounts: [] })
  await t.throwsAsync(importing, { message: /invalid mnemonic/ })
})

test.serial('a wallet is renamed', async (t) => {
  t.is((await client.updateWallet({ walletId, walletName: 'renamed' })).walletId, walletId)
  t.is((await client.getWallet({ walletId })).wallet.walletName, 'renamed')
  await client.updateWallet({ walletId })
  t.is((await client.getWallet({ walletId })).wallet.walletName, 'renamed')
  t.deepEqual(
    (await client.getWallets()).wallets.map((each) => each.walletName),
    ['renamed', 'again'],
  )
})

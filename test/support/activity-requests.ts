/** A genuine request of each activity type about keys and wallets, for the built gate. */
import { sealTo } from '../../signer-core/engine-reference/hpke.ts'
import type { ActivityTypeName } from '../../signer-core/protocol/activity-types.ts'
import type { organizationActivityTypes } from '../../signer-core/protocol/organization-activity-types.ts'
import type { Bench, GateRequest, KeyRecord } from './component.ts'
import { transactionVectors } from './transactions.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const payload = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
const privateKeys = [{ privateKeyName: 'k', curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }]
const bip32 = { pathFormat: 'PATH_FORMAT_BIP32', path: "m/44'/60'/0'/0/0" }
const accounts = [{ curve: 'CURVE_SECP256K1', ...bip32, addressFormat: 'ADDRESS_FORMAT_ETHEREUM' }]
const imported = { privateKeyName: 'k', curve: 'CURVE_P256', addressFormats: [] }

/** First versions name the key by `privateKeyId`, later ones by `signWith`. */
export function signing(bench: Bench, signer: KeyRecord, type: string, parameters: object): GateRequest {
  return bench.request(type, { signWith: signer.keyId, privateKeyId: signer.keyId, ...parameters }, [signer])
}

type KeyTypeName = Exclude<ActivityTypeName, keyof typeof organizationActivityTypes>

export function requestsOf(bench: Bench): Record<KeyTypeName, () => GateRequest> {
  const { perform } = bench.component.gate
  const { users } = JSON.parse(bench.organization.text) as { users: { userId: string }[] }
  const userId = users[0]?.userId as string
  const { key } = bench.create('CURVE_SECP256K1')
  const targetPublicKey = hex(bench.create('CURVE_P256').key.publicKey)
  const [legacy] = transactionVectors('ethereum')
  const transaction = { unsignedTransaction: legacy?.unsignedTransaction, type: 'TRANSACTION_TYPE_ETHEREUM' }

  /** Seals to a fresh target of the user, as `init_import_*` makes it. */
  const importing = (initType: string, type: string, secret: Uint8Array, parameters: object) => {
    const { importTarget } = perform(bench.request(initType, { userId }))
    const parcel = sealTo(importTarget?.publicKey as Uint8Array, secret)
    const bundle = { encappedPublic: hex(parcel.encapsulated), ciphertext: hex(parcel.ciphertext) }
    const whole = { userId, encryptedBundle: JSON.stringify(bundle), ...parameters }
    return bench.request(type, whole, [], { importTarget })
  }
  const creating = () => bench.request('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'w', accounts })
  /** A request that names a wallet, or the account in it. */
  const ofWallet = (type: string, parametersOf: (walletId: string, account: KeyRecord, address: string) => object) => {
    const { newWallets, newKeys } = perform(creating())
    const [{ wallet }, { key: account, facts }] = [newWallets[0], newKeys[0]] as [
      (typeof newWallets)[number],
      (typeof newKeys)[number],
    ]
    const { address } = JSON.parse(facts) as { address: string }
    return bench.request(type, parametersOf(wallet.walletId, account, address), [account], { wallets: [wallet] })
  }
  const deleteWithoutExport = true
  const further = [{ ...accounts[0], path: "m/44'/60'/0'/0/1" }]

  return {
    ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2: () => bench.request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys }),
    ACTIVITY_TYPE_CREATE_PRIVATE_KEYS: () => bench.request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS', { privateKeys }),
    ACTIVITY_TYPE_DELETE_PRIVATE_KEYS: () =>
      bench.request('ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', { privateKeyIds: [key.keyId], deleteWithoutExport }, [key]),
    ACTIVITY_TYPE_EXPORT_PRIVATE_KEY: () =>
      bench.request('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', { privateKeyId: key.keyId, targetPublicKey }, [key]),
    ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY: () => bench.request('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId }),
    ACTIVITY_TYPE_IMPORT_PRIVATE_KEY: () => {
      const secret = new Uint8Array(32).fill(7)
      return importing('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', secret, imported)
    },
    ACTIVITY_TYPE_CREATE_WALLET: creating,
    ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS: () =>
      ofWallet('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', (walletId) => ({ walletId, accounts: further })),
    ACTIVITY_TYPE_UPDATE_WALLET: () =>
      ofWallet('ACTIVITY_TYPE_UPDATE_WALLET', (walletId) => ({ walletId, walletName: 'v' })),
    ACTIVITY_TYPE_DELETE_WALLETS: () =>
      ofWallet('ACTIVITY_TYPE_DELETE_WALLETS', (walletId) => ({ walletIds: [walletId], deleteWithoutExport })),
    ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS: () =>
      ofWallet('ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS', (_, { keyId }) => {
        return { walletAccountIds: [keyId], deleteWithoutExport }
      }),
    ACTIVITY_TYPE_EXPORT_WALLET: () =>
      ofWallet('ACTIVITY_TYPE_EXPORT_WALLET', (walletId) => ({ walletId, targetPublicKey })),
    ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT: () =>
      ofWallet('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT', (_, __, address) => ({ address, targetPublicKey })),
    ACTIVITY_TYPE_INIT_IMPORT_WALLET: () => bench.request('ACTIVITY_TYPE_INIT_IMPORT_WALLET', { userId }),
    ACTIVITY_TYPE_IMPORT_WALLET: () => {
      const parameters = { walletName: 'w', accounts }
      const secret = Buffer.from(MNEMONIC)
      return importing('ACTIVITY_TYPE_INIT_IMPORT_WALLET', 'ACTIVITY_TYPE_IMPORT_WALLET', secret, parameters)
    },
    ACTIVITY_TYPE_SIGN_RAW_PAYLOADS: () =>
      signing(bench, key, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', { payloads: ['x'], ...payload }),
    ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2: () =>
      signing(bench, key, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', { payload: 'x', ...payload }),
    ACTIVITY_TYPE_SIGN_RAW_PAYLOAD: () =>
      signing(bench, key, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', { payload: 'x', ...payload }),
    ACTIVITY_TYPE_SIGN_TRANSACTION_V2: () => signing(bench, key, 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', transaction),
    ACTIVITY_TYPE_SIGN_TRANSACTION: () => signing(bench, key, 'ACTIVITY_TYPE_SIGN_TRANSACTION', transaction),
  }
}

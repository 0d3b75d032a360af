/** Parameters of the wallet activities: what is refused before anything happens, and where it says so. */
import test from 'ava'
import { activityTypes, type ActivityTypeName } from '../../../signer-core/protocol/activity-types.ts'
import { ACCOUNTS_PER_ACTIVITY_MAX, IDS_PER_DELETION_MAX } from '../../../signer-core/protocol/limits.ts'
import { parse, type Schema, type Violation } from '../../../signer-core/protocol/schema.ts'

function faultsOf(type: ActivityTypeName, parameters: object): Violation[] {
  const read = parse(activityTypes[type].parameters as Schema<unknown>, parameters)
  return read.ok ? [] : read.violations
}
const uuidOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
const account = (more: object = {}) => ({
  curve: 'CURVE_SECP256K1',
  pathFormat: 'PATH_FORMAT_BIP32',
  path: "m/44'/60'/0'/0/0",
  addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  ...more,
})
const withAccounts = (...accounts: object[]) =>
  faultsOf('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'w', accounts }).map(
    ({ field, description }) => `${field}: ${description}`,
  )

test('a fitting wallet, also without accounts and with null for what is absent', (t) => {
  t.deepEqual(withAccounts(), [])
  t.deepEqual(withAccounts(account({ name: 'a' }), account({ path: 'm', name: null })), [])
  const accounts = [account()]
  t.deepEqual(faultsOf('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'w', accounts, mnemonicLength: null }), [])
})

test('path, curve and address format must fit', (t) => {
  const ed25519 = { curve: 'CURVE_ED25519', addressFormat: 'ADDRESS_FORMAT_SOLANA' }
  t.deepEqual(withAccounts(account({ path: 'm/44h' })), ['accounts.0.path: invalid path'])
  t.deepEqual(withAccounts(account({ path: '' })), ['accounts.0.path: path required'])
  t.deepEqual(withAccounts(account({ pathFormat: 'PATH_FORMAT_X' })), ['accounts.0.pathFormat: invalid path format'])
  t.deepEqual(withAccounts(account({ curve: 'CURVE_X' })), ['accounts.0.curve: invalid curve'])
  t.deepEqual(withAccounts(account({ addressFormat: 'x' })), ['accounts.0.addressFormat: invalid address format'])
  t.deepEqual(withAccounts(account(), account({ path: 'm/1', curve: 'CURVE_P256' })), [
    'accounts.1.addressFormat: invalid address format for the curve',
  ])
  t.deepEqual(withAccounts(account({ ...ed25519, path: "m/44'/501'/0'/0'" })), [])
  t.deepEqual(withAccounts(account({ ...ed25519, path: "m/44'/501'/0'/0" })), [
    'accounts.0.path: invalid path for the curve: on CURVE_ED25519 every level must be hardened',
  ])
})

test('a path occurs once in a body', (t) => {
  t.deepEqual(withAccounts(account(), account({ path: 'm/1' }), account({ addressFormat: 'ADDRESS_FORMAT_TRON' })), [
    'accounts.2.path: duplicate path',
  ])
})

test('accounts of one activity are limited', (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => account({ path: `m/${i}` }))
  t.is(ACCOUNTS_PER_ACTIVITY_MAX, 30)
  t.deepEqual(withAccounts(...many(29)), [])
  t.deepEqual(withAccounts(...many(30)), [])
  t.deepEqual(withAccounts(...many(31)), ['accounts: at most 30 accounts'])
  t.is(faultsOf('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', { walletId: uuidOf(1), accounts: [] }).length, 1)
})

test('mnemonic length is one of five numbers', (t) => {
  const faults = (mnemonicLength: unknown) =>
    faultsOf('ACTIVITY_TYPE_CREATE_WALLET', { walletName: 'w', accounts: [], mnemonicLength }).length
  for (const words of [12, 15, 18, 21, 24]) t.is(faults(words), 0)
  for (const words of [0, 11, 13, 12.5, 27, '12', true]) t.is(faults(words), 1, String(words))
})

test('a mnemonic leaves in English only', (t) => {
  const faults = (language: unknown) =>
    faultsOf('ACTIVITY_TYPE_EXPORT_WALLET', {
      walletId: uuidOf(1),
      targetPublicKey: `04${'11'.repeat(64)}`,
      language,
    }).map(({ description }) => description)
  t.deepEqual(faults(undefined), [])
  t.deepEqual(faults('MNEMONIC_LANGUAGE_ENGLISH'), [])
  t.deepEqual(faults('MNEMONIC_LANGUAGE_JAPANESE'), ['unsupported language: only MNEMONIC_LANGUAGE_ENGLISH'])
  t.deepEqual(faults('MNEMONIC_LANGUAGE_X'), ['invalid language'])
})

test('deletions name each id once, and not too many', (t) => {
  const faults = (privateKeyIds: unknown[], deleteWithoutExport?: unknown) =>
    faultsOf('ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', { privateKeyIds, deleteWithoutExport }).map(({ field }) => field)
  const ids = Array.from({ length: IDS_PER_DELETION_MAX + 1 }, (_, i) => uuidOf(i))
  t.deepEqual(faults(ids.slice(1)), [])
  t.deepEqual(faults(ids), ['privateKeyIds'])
  t.deepEqual(faults([]), ['privateKeyIds'])
  t.deepEqual(faults([uuidOf(1), uuidOf(2), uuidOf(1)]), ['privateKeyIds.2'])
  t.deepEqual(faults(['x']), ['privateKeyIds.0'])
  t.deepEqual(faults([uuidOf(1)], 'true'), ['deleteWithoutExport'])
})

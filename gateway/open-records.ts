/** Everything that activities read and write besides themselves, made once from the store. */
import { Named } from './activities/named.ts'
import { Records } from './activities/records.ts'
import { ImportTargets } from './imports/import-targets.ts'
import { KeyNames } from './key-names/key-names.ts'
import { Organizations } from './organizations/organizations.ts'
import { SubOrganizations } from './organizations/sub-organizations.ts'
import { PrivateKeys } from './private-keys/private-keys.ts'
import type { Store } from './store/store.ts'
import { WalletAccounts } from './wallets/wallet-accounts.ts'
import { WalletPaths } from './wallets/wallet-paths.ts'
import { Wallets } from './wallets/wallets.ts'

export function openRecords(store: Store, nowMs: () => number) {
  const keyNames = new KeyNames(store)
  const privateKeys = new PrivateKeys(store, keyNames)
  const wallets = new Wallets(store)
  const walletAccounts = new WalletAccounts(store, keyNames)
  const walletPaths = new WalletPaths(store, walletAccounts)
  const importTargets = new ImportTargets(store)
  const organizations = new Organizations(store)
  const subOrganizations = new SubOrganizations(store, organizations, walletAccounts)
  const parts = {
    organizations,
    subOrganizations,
    keyNames,
    privateKeys,
    wallets,
    walletAccounts,
    walletPaths,
    importTargets,
    nowMs,
  }
  return {
    organizations,
    subOrganizations,
    privateKeys,
    wallets,
    walletAccounts,
    named: new Named(parts),
    records: new Records(parts),
  }
}

/** The query routes, `/public/v1/query/<name>`, one line each. */
import { getActivity } from './get-activity.ts'
import { getPrivateKey } from './get-private-key.ts'
import { getWallet } from './get-wallet.ts'
import { getWalletAccount } from './get-wallet-account.ts'
import { listActivities } from './list-activities.ts'
import { listAppProofs } from './list-app-proofs.ts'
import { listPrivateKeys } from './list-private-keys.ts'
import { listReceipts } from './list-receipts.ts'
import { listWallets } from './list-wallets.ts'
import { listWalletAccounts } from './list-wallet-accounts.ts'
import type { Query } from './query.ts'
import { whoami } from './whoami.ts'

export const queries: Record<string, Query> = {
  get_activity: getActivity,
  get_private_key: getPrivateKey,
  get_wallet: getWallet,
  get_wallet_account: getWalletAccount,
  list_activities: listActivities,
  list_app_proofs: listAppProofs,
  list_private_keys: listPrivateKeys,
  list_receipts: listReceipts,
  list_wallets: listWallets,
  list_wallet_accounts: listWalletAccounts,
  whoami,
}

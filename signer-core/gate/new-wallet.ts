import type { WalletFacts } from '../protocol/wallet.ts'
import type { Effect } from './operation.ts'
import { sealedWalletOf } from './key-binding.ts'
import { deriveAccounts, type PlannedAccount } from './wallet-accounts.ts'

/** A wallet that an activity brought forth, with its first accounts. */
export function newWalletOf(
  walletId: string,
  sealed: Uint8Array,
  facts: WalletFacts,
  accounts: PlannedAccount[],
  organizationId: string,
): { shown: { walletId: string; addresses: string[] }; effect: Pick<Effect, 'newKeys' | 'newWallets'> } {
  const wallet = { walletId, sealed }
  const sealedWallet = sealedWalletOf(wallet, organizationId)
  const { addresses, newKeys } = deriveAccounts(accounts, walletId, sealedWallet, organizationId)
  const newWallets = [{ wallet, facts: JSON.stringify(facts) }]
  return { shown: { walletId, addresses }, effect: { newKeys, newWallets } }
}

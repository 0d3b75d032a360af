import type { CreateWalletAccounts } from '../../protocol/activities/create-wallet-accounts.ts'
import { sealedWalletOf } from '../key-binding.ts'
import { namedWallet } from '../named-wallet.ts'
import type { Operation } from '../operation.ts'
import { accountsCommitment, deriveAccounts, planAccounts } from '../wallet-accounts.ts'

/** Whether a path has been used already only the gateway can see; the key at a path is always the same. */
export const createWalletAccounts: Operation<CreateWalletAccounts> = {
  plan({ walletId, accounts, persist = true }, context) {
    const wallet = namedWallet(context.wallets, walletId, 'parameters.walletId')
    const planned = planAccounts(accounts, context, 0)
    return {
      commitment: {
        operation: 'CREATE_WALLET_ACCOUNTS',
        walletId,
        persist,
        accounts: accountsCommitment(planned),
      },
      subject: { walletId },
      execute() {
        const { organizationId } = context
        const sealedWallet = sealedWalletOf(wallet, organizationId)
        const { addresses, newKeys } = deriveAccounts(planned, walletId, sealedWallet, organizationId)
        return { result: { createWalletAccountsResult: { addresses } }, newKeys: persist ? newKeys : [] }
      },
    }
  },
}

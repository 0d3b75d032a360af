import { generateWallet } from 'keystead:engine/engine@0.1.0'
import { MNEMONIC_LENGTH_DEFAULT, type CreateWallet } from '../../protocol/activities/create-wallet.ts'
import { walletBinding } from '../key-binding.ts'
import { newKeyId } from '../key-ids.ts'
import { newWalletOf } from '../new-wallet.ts'
import type { Operation } from '../operation.ts'
import { accountsCommitment, planAccounts } from '../wallet-accounts.ts'

export const createWallet: Operation<CreateWallet> = {
  plan({ walletName, accounts, mnemonicLength = MNEMONIC_LENGTH_DEFAULT }, context) {
    const walletId = newKeyId(context.activityId, context.bodyDigest, 0)
    const planned = planAccounts(accounts, context, 1)
    return {
      commitment: {
        operation: 'CREATE_WALLET',
        walletId,
        walletName,
        mnemonicLength,
        accounts: accountsCommitment(planned),
      },
      execute() {
        const { organizationId } = context
        const sealed = generateWallet(mnemonicLength, walletBinding(organizationId, walletId))
        const facts = { walletName, imported: false }
        const { shown, effect } = newWalletOf(walletId, sealed, facts, planned, organizationId)
        return { result: { createWalletResult: shown }, ...effect }
      },
    }
  },
}

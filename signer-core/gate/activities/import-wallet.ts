import { importWallet as importSealed } from 'keystead:engine/engine@0.1.0'
import type { ImportWallet } from '../../protocol/activities/import-wallet.ts'
import { refusingFaults } from '../border.ts'
import { importOf } from '../imports.ts'
import { walletBinding } from '../key-binding.ts'
import { newKeyId } from '../key-ids.ts'
import { newWalletOf } from '../new-wallet.ts'
import type { Operation } from '../operation.ts'
import { accountsCommitment, planAccounts } from '../wallet-accounts.ts'

/** Clients look for the words `invalid mnemonic`. */
const faults = {
  'bad-seal': ['BUNDLE_INVALID', 'the bundle does not open', 'parameters.encryptedBundle'],
  'bad-input': [
    'BUNDLE_INVALID',
    'invalid mnemonic: it must be English words of BIP-39 without a passphrase',
    'parameters.encryptedBundle',
  ],
} as const

export const importWallet: Operation<ImportWallet> = {
  plan({ userId, walletName, encryptedBundle, accounts }, context) {
    const { target, parcel, commitment } = importOf('wallet', userId, encryptedBundle, context)
    const walletId = newKeyId(context.activityId, context.bodyDigest, 0)
    const planned = planAccounts(accounts, context, 1)
    return {
      commitment: {
        operation: 'IMPORT_WALLET',
        walletId,
        ...commitment,
        walletName,
        accounts: accountsCommitment(planned),
      },
      execute() {
        const { organizationId } = context
        const sealed = refusingFaults(faults, () =>
          importSealed(target, parcel, walletBinding(organizationId, walletId)),
        )
        const facts = { walletName, imported: true }
        const { shown, effect } = newWalletOf(walletId, sealed, facts, planned, organizationId)
        return {
          result: { importWalletResult: shown },
          ...effect,
          changes: [{ change: 'importTargetUsed', flow: 'wallet', userId }],
        }
      },
    }
  },
}

import type { DeleteWalletAccounts } from '../../protocol/activities/delete-wallet-accounts.ts'
import { keyOfId } from '../named-key.ts'
import { refuseNeverExported } from '../never-exported.ts'
import type { Operation } from '../operation.ts'

export const deleteWalletAccounts: Operation<DeleteWalletAccounts> = {
  plan({ walletAccountIds, deleteWithoutExport }, context) {
    const field = 'parameters.walletAccountIds'
    walletAccountIds.forEach((id, i) => keyOfId(context.keys, id, `${field}.${i}`))
    refuseNeverExported(walletAccountIds, deleteWithoutExport, context, field, 'WALLET_ACCOUNT_NOT_EXPORTED')
    return {
      commitment: {
        operation: 'DELETE_WALLET_ACCOUNTS',
        walletAccountIds,
        deleteWithoutExport: deleteWithoutExport === true,
      },
      execute: () => ({
        result: { deleteWalletAccountsResult: { walletAccountIds } },
        changes: [{ change: 'walletAccountsDeleted', walletAccountIds }],
      }),
    }
  },
}

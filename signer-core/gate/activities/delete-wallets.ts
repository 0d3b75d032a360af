import type { DeleteWallets } from '../../protocol/activities/delete-wallets.ts'
import { namedWallet } from '../named-wallet.ts'
import { refuseNeverExported } from '../never-exported.ts'
import type { Operation } from '../operation.ts'

export const deleteWallets: Operation<DeleteWallets> = {
  plan({ walletIds, deleteWithoutExport }, context) {
    const field = 'parameters.walletIds'
    walletIds.forEach((id, i) => namedWallet(context.wallets, id, `${field}.${i}`))
    refuseNeverExported(walletIds, deleteWithoutExport, context, field)
    return {
      commitment: { operation: 'DELETE_WALLETS', walletIds, deleteWithoutExport: deleteWithoutExport === true },
      subject: { walletIds },
      execute: () => ({
        result: { deleteWalletsResult: { walletIds } },
        changes: [{ change: 'walletsDeleted', walletIds }],
      }),
    }
  },
}

import type { UpdateWallet } from '../../protocol/activities/update-wallet.ts'
import { namedWallet } from '../named-wallet.ts'
import type { Operation } from '../operation.ts'

export const updateWallet: Operation<UpdateWallet> = {
  plan({ walletId, walletName }, context) {
    namedWallet(context.wallets, walletId, 'parameters.walletId')
    return {
      commitment: { operation: 'UPDATE_WALLET', walletId, ...(walletName !== undefined && { walletName }) },
      subject: { walletId },
      execute: () => ({
        result: { updateWalletResult: { walletId } },
        changes: walletName === undefined ? [] : [{ change: 'walletRenamed', walletId, walletName }],
      }),
    }
  },
}

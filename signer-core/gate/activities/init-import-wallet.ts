import { generateTarget } from 'keystead:engine/engine@0.1.0'
import type { InitImportWallet } from '../../protocol/activities/init-import-wallet.ts'
import { importBundle } from '../bundles.ts'
import { targetBinding } from '../key-binding.ts'
import type { Operation } from '../operation.ts'
import { refuseOtherUser } from '../own-user.ts'

export const initImportWallet: Operation<InitImportWallet> = {
  plan({ userId }, context) {
    refuseOtherUser(userId, context)
    return {
      commitment: { operation: 'INIT_IMPORT_WALLET', userId },
      execute() {
        const { organizationId } = context
        const importTarget = generateTarget(targetBinding(organizationId, userId, 'wallet'))
        const bundle = importBundle(importTarget.publicKey, organizationId, userId)
        return { result: { initImportWalletResult: { importBundle: bundle } }, importTarget }
      },
    }
  },
}

import { generateTarget } from 'keystead:engine/engine@0.1.0'
import type { InitImportPrivateKey } from '../../protocol/activities/init-import-private-key.ts'
import { importBundle } from '../bundles.ts'
import { targetBinding } from '../key-binding.ts'
import type { Operation } from '../operation.ts'
import { refuseOtherUser } from '../own-user.ts'

export const initImportPrivateKey: Operation<InitImportPrivateKey> = {
  plan({ userId }, context) {
    refuseOtherUser(userId, context)
    return {
      commitment: { operation: 'INIT_IMPORT_PRIVATE_KEY', userId },
      execute() {
        const { organizationId } = context
        const importTarget = generateTarget(targetBinding(organizationId, userId, 'private-key'))
        const bundle = importBundle(importTarget.publicKey, organizationId, userId)
        return { result: { initImportPrivateKeyResult: { importBundle: bundle } }, importTarget }
      },
    }
  },
}

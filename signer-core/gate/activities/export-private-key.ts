import type { ExportPrivateKey } from '../../protocol/activities/export-private-key.ts'
import { exportCommitment, exportedBundle } from '../key-export.ts'
import { namedKey } from '../named-key.ts'
import type { Operation } from '../operation.ts'

export const exportPrivateKey: Operation<ExportPrivateKey> = {
  plan({ privateKeyId, targetPublicKey }, context) {
    const { key } = namedKey(context.keys, privateKeyId, 'parameters.privateKeyId')
    return {
      commitment: exportCommitment('EXPORT_PRIVATE_KEY', key, targetPublicKey),
      subject: { key },
      execute() {
        const bundle = exportedBundle(key, targetPublicKey, context.organizationId)
        return {
          result: { exportPrivateKeyResult: { privateKeyId, exportBundle: bundle } },
          changes: [{ change: 'privateKeyExported', privateKeyId: key.keyId }],
        }
      },
    }
  },
}

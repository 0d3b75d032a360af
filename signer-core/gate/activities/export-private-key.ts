import { exportKey } from 'keystead:engine/engine@0.1.0'
import type { ExportPrivateKey } from '../../protocol/activities/export-private-key.ts'
import { bytesToHex, hexToBytes } from '../../protocol/bytes.ts'
import { refusingFaults } from '../border.ts'
import { exportBundle } from '../bundles.ts'
import { sealedKeyOf } from '../key-binding.ts'
import { namedKey } from '../named-key.ts'
import type { Operation } from '../operation.ts'

export const exportPrivateKey: Operation<ExportPrivateKey> = {
  plan({ privateKeyId, targetPublicKey }, context) {
    const { key } = namedKey(context.keys, privateKeyId, 'parameters.privateKeyId')
    const target = hexToBytes(targetPublicKey) as Uint8Array
    return {
      commitment: {
        operation: 'EXPORT_PRIVATE_KEY',
        keyId: key.keyId,
        curve: key.curve,
        publicKey: bytesToHex(key.publicKey),
        target: bytesToHex(target),
      },
      execute() {
        const parcel = refusingFaults(
          {
            'bad-seal': ['SEALED_KEY_REFUSED', 'the sealed key does not open for this organization, id and curve'],
            'bad-input': ['TARGET_KEY_INVALID', 'invalid target public key', 'parameters.targetPublicKey'],
          },
          () => exportKey(sealedKeyOf(key, context.organizationId), target),
        )
        const bundle = exportBundle(parcel, context.organizationId)
        return {
          result: { exportPrivateKeyResult: { privateKeyId, exportBundle: bundle } },
          exportedKeyIds: [key.keyId],
        }
      },
    }
  },
}

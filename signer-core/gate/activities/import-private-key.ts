import { importKey } from 'keystead:engine/engine@0.1.0'
import type { ImportPrivateKey } from '../../protocol/activities/import-private-key.ts'
import { curveOfName } from '../../protocol/curves.ts'
import { refusingFaults } from '../border.ts'
import { importOf } from '../imports.ts'
import { keyBinding } from '../key-binding.ts'
import { newKeyId } from '../key-ids.ts'
import { newKeyOf } from '../new-key.ts'
import type { Operation } from '../operation.ts'

export const importPrivateKey: Operation<ImportPrivateKey> = {
  plan(parameters, context) {
    const { userId, curve: curveName, encryptedBundle } = parameters
    const { target, parcel, commitment } = importOf('private-key', userId, encryptedBundle, context)
    const keyId = newKeyId(context.activityId, context.bodyDigest, 0)
    const { privateKeyName, addressFormats } = parameters
    return {
      commitment: {
        operation: 'IMPORT_PRIVATE_KEY',
        keyId,
        ...commitment,
        curve: curveName,
        privateKeyName,
        addressFormats,
      },
      execute() {
        const { organizationId } = context
        const curve = curveOfName[curveName]
        const faults = {
          'bad-seal': ['BUNDLE_INVALID', 'the bundle does not open', 'parameters.encryptedBundle'],
          'bad-input': ['BUNDLE_INVALID', 'the bundle holds no key of this curve', 'parameters.encryptedBundle'],
        } as const
        const fresh = refusingFaults(faults, () => importKey(target, parcel, curve, keyBinding(organizationId, keyId)))
        const wanted = { privateKeyName, curve: curveName, privateKeyTags: [], addressFormats }
        const { newKey, addresses } = newKeyOf(keyId, organizationId, wanted, fresh, true)
        return {
          result: {
            importPrivateKeyResult: { privateKeyId: keyId, addresses: addresses.map((each) => ({ ...each })) },
          },
          newKeys: [newKey],
          changes: [{ change: 'importTargetUsed', flow: 'private-key', userId }],
        }
      },
    }
  },
}

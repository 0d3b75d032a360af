import { digest, importKey, type Parcel } from 'keystead:engine/engine@0.1.0'
import type { ImportPrivateKey } from '../../protocol/activities/import-private-key.ts'
import { bytesToHex, hexToBytes, utf8ToBytes } from '../../protocol/bytes.ts'
import { curveOfName } from '../../protocol/curves.ts'
import { RefusalError } from '../../protocol/refusals.ts'
import { object, parse, pattern } from '../../protocol/schema.ts'
import { JsonError, parseStrictJson } from '../../protocol/strict-json.ts'
import { refusingFaults } from '../border.ts'
import { keyBinding, targetBinding } from '../key-binding.ts'
import { newKeyId } from '../key-ids.ts'
import { newKeyOf } from '../new-key.ts'
import type { Operation } from '../operation.ts'
import { refuseOtherUser } from '../own-user.ts'

const parcelSchema = object({
  encappedPublic: pattern(/^04[0-9a-fA-F]{128}$/, 'an uncompressed public key'),
  ciphertext: pattern(/^(?:[0-9a-fA-F]{2}){17,512}$/, 'hexadecimal'),
})

export const importPrivateKey: Operation<ImportPrivateKey> = {
  plan(parameters, context) {
    const { userId, curve: curveName, encryptedBundle } = parameters
    refuseOtherUser(userId, context)
    const target = context.importTarget
    if (target === undefined) throw refused('no import was begun, or its target has been used')
    const parcel = readParcel(encryptedBundle)
    const keyId = newKeyId(context.activityId, context.bodyDigest, 0)
    const { privateKeyName, addressFormats } = parameters
    return {
      commitment: {
        operation: 'IMPORT_PRIVATE_KEY',
        keyId,
        userId,
        curve: curveName,
        target: bytesToHex(target.publicKey),
        bundleDigest: bytesToHex(digest('sha256', utf8ToBytes(encryptedBundle))),
        privateKeyName,
        addressFormats,
      },
      execute() {
        const { organizationId } = context
        const curve = curveOfName[curveName]
        const sealedTarget = { ...target, binding: targetBinding(organizationId, userId) }
        const faults = {
          'bad-seal': ['BUNDLE_INVALID', 'the bundle does not open', 'parameters.encryptedBundle'],
          'bad-input': ['BUNDLE_INVALID', 'the bundle holds no key of this curve', 'parameters.encryptedBundle'],
        } as const
        const fresh = refusingFaults(faults, () =>
          importKey(sealedTarget, parcel, curve, keyBinding(organizationId, keyId)),
        )
        const wanted = { privateKeyName, curve: curveName, privateKeyTags: [], addressFormats }
        const { newKey, addresses } = newKeyOf(keyId, wanted, fresh, true)
        return {
          result: {
            importPrivateKeyResult: { privateKeyId: keyId, addresses: addresses.map((each) => ({ ...each })) },
          },
          newKeys: [newKey],
          importTargetUsed: true,
        }
      },
    }
  },
}

function readParcel(bundle: string): Parcel {
  try {
    const read = parse(parcelSchema, parseStrictJson(bundle))
    if (!read.ok) throw refused('the bundle is malformed')
    const { encappedPublic, ciphertext } = read.value
    return {
      encapsulated: hexToBytes(encappedPublic) as Uint8Array,
      ciphertext: hexToBytes(ciphertext) as Uint8Array,
    }
  } catch (error) {
    if (error instanceof JsonError) throw refused('the bundle is malformed')
    throw error
  }
}

function refused(message: string): RefusalError {
  return new RefusalError('BUNDLE_INVALID', message, 'parameters.encryptedBundle')
}

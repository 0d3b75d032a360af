/** Exporting one key, whatever it is called in the body. */
import { exportKey } from 'keystead:engine/engine@0.1.0'
import { bytesToHex, hexToBytes } from '../protocol/bytes.ts'
import type { JsonObject } from '../protocol/strict-json.ts'
import { refusingFaults, refusingSeal } from './border.ts'
import { exportBundle } from './bundles.ts'
import { sealedKeyOf } from './key-binding.ts'
import type { KeyRecord } from './wit-types.ts'

/** @param targetPublicKey Hexadecimal, as the schema has checked it. */
export function exportCommitment(operation: string, key: KeyRecord, targetPublicKey: string): JsonObject {
  return {
    operation,
    keyId: key.keyId,
    curve: key.curve,
    publicKey: bytesToHex(key.publicKey),
    target: bytesToHex(hexToBytes(targetPublicKey) as Uint8Array),
  }
}

/** The bundle for the client. @throws {RefusalError} `SEALED_KEY_REFUSED`, `TARGET_KEY_INVALID`. */
export function exportedBundle(key: KeyRecord, targetPublicKey: string, organizationId: string): string {
  const target = hexToBytes(targetPublicKey) as Uint8Array
  const faults = {
    'bad-input': ['TARGET_KEY_INVALID', 'invalid target public key', 'parameters.targetPublicKey'],
  } as const
  const parcel = refusingSeal(() => refusingFaults(faults, () => exportKey(sealedKeyOf(key, organizationId), target)))
  return exportBundle(parcel, organizationId)
}

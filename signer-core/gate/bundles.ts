/**
 * Bundles as real clients open them: JSON text whose `data` is signed by the signer's identity. Clients compare
 * `enclaveQuorumPublic` as text, so it is the uncompressed key in lower-case hexadecimal.
 */
import { attest, identity, type Parcel } from 'keystead:engine/engine@0.1.0'
import { bytesToHex, utf8ToBytes } from '../protocol/bytes.ts'

const VERSION = 'v1.0.0'

function attestedBundle(inner: object): string {
  const data = utf8ToBytes(JSON.stringify(inner))
  return JSON.stringify({
    version: VERSION,
    data: bytesToHex(data),
    dataSignature: bytesToHex(attest(data)),
    enclaveQuorumPublic: bytesToHex(identity()),
  })
}

/** What `decryptExportBundle` takes. */
export function exportBundle({ encapsulated, ciphertext }: Parcel, organizationId: string): string {
  const encappedPublic = bytesToHex(encapsulated)
  return attestedBundle({ encappedPublic, ciphertext: bytesToHex(ciphertext), organizationId })
}

/** What `encryptPrivateKeyToBundle` takes. @param target Uncompressed P-256 key. */
export function importBundle(target: Uint8Array, organizationId: string, userId: string): string {
  return attestedBundle({ targetPublic: bytesToHex(target), organizationId, userId })
}

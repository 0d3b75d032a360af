import type { PrivateKeyDocument } from '../documents.ts'
import { presentTime } from '../http/present-time.ts'

/** The PrivateKey record of the wire. */
export function presentPrivateKey(key: PrivateKeyDocument): object {
  return {
    privateKeyId: key._id,
    publicKey: key.publicKey,
    privateKeyName: key.privateKeyName,
    curve: key.curve,
    addresses: key.addresses,
    privateKeyTags: key.privateKeyTags,
    createdAt: presentTime(key.createdAtMs),
    updatedAt: presentTime(key.updatedAtMs),
    exported: key.exported,
    imported: key.imported,
  }
}

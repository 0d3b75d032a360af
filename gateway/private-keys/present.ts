import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import type { PrivateKeyDocument } from '../documents.ts'
import { presentTime } from '../http/present-time.ts'

/** The PrivateKey record of the wire. Tags are the organization's, where they are under the signer's seal. */
export function presentPrivateKey(key: PrivateKeyDocument, { privateKeyTags }: OrganizationRecord): object {
  return {
    privateKeyId: key._id,
    publicKey: key.publicKey,
    privateKeyName: key.privateKeyName,
    curve: key.curve,
    addresses: key.addresses,
    privateKeyTags: privateKeyTags
      .filter(({ privateKeyIds }) => privateKeyIds.includes(key._id))
      .map(({ tagId }) => tagId),
    createdAt: presentTime(key.createdAtMs),
    updatedAt: presentTime(key.updatedAtMs),
    exported: key.exported,
    imported: key.imported,
  }
}

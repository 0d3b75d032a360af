/** What policies may know of a key, under the signer's seal since the key was made. Text: `JSON.stringify`, format 1. */
import { NAME_LENGTH_MAX } from './limits.ts'
import { uuid } from './organization-record.ts'
import { boolean, integer, object, oneOf, optional, text, type TypeOf } from './schema.ts'

export const keyCertificateSchema = object({
  format: integer(1, 1),
  organizationId: uuid,
  keyId: uuid,
  kind: oneOf(['privateKey', 'walletAccount']),
  /** Name of a private key. */
  label: optional(text(NAME_LENGTH_MAX)),
  /** Of a private key: whether it was made elsewhere. */
  imported: optional(boolean()),
  /** Of an account. */
  walletId: optional(uuid),
  address: optional(text(NAME_LENGTH_MAX)),
})

export type KeyCertificate = TypeOf<typeof keyCertificateSchema>

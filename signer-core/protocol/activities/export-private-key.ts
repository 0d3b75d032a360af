import { object, pattern, type TypeOf } from '../schema.ts'
import { uuid } from '../organization-record.ts'

/** A P-256 point, uncompressed or compressed, hexadecimal of either case. Whether it lies on the curve the engine says. */
export const targetPublicKey = pattern(/^(?:04[0-9a-fA-F]{128}|0[23][0-9a-fA-F]{64})$/, 'a P-256 public key')

export const exportPrivateKeySchema = object({ privateKeyId: uuid, targetPublicKey })
export type ExportPrivateKey = TypeOf<typeof exportPrivateKeySchema>

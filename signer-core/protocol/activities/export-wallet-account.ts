import { KEY_NAME_LENGTH_MAX } from '../limits.ts'
import { object, text, type TypeOf } from '../schema.ts'
import { targetPublicKey } from './export-private-key.ts'

export const exportWalletAccountSchema = object({ address: text(KEY_NAME_LENGTH_MAX), targetPublicKey })
export type ExportWalletAccount = TypeOf<typeof exportWalletAccountSchema>

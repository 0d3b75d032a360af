import { NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { object, optional, text, type TypeOf } from '../schema.ts'

/** Without a name nothing changes. */
export const updateWalletSchema = object({ walletId: uuid, walletName: optional(text(NAME_LENGTH_MAX)) })
export type UpdateWallet = TypeOf<typeof updateWalletSchema>

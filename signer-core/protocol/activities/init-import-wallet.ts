import { object, type TypeOf } from '../schema.ts'
import { uuid } from '../organization-record.ts'

/** The caller's own user: each has one import target for wallets at a time. */
export const initImportWalletSchema = object({ userId: uuid })
export type InitImportWallet = TypeOf<typeof initImportWalletSchema>

import { object, type TypeOf } from '../schema.ts'
import { deleteWithoutExport, idsToDelete } from './deletions.ts'

export const deleteWalletAccountsSchema = object({ walletAccountIds: idsToDelete, deleteWithoutExport })
export type DeleteWalletAccounts = TypeOf<typeof deleteWalletAccountsSchema>

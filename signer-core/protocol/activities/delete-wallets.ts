import { object, type TypeOf } from '../schema.ts'
import { deleteWithoutExport, idsToDelete } from './deletions.ts'

export const deleteWalletsSchema = object({ walletIds: idsToDelete, deleteWithoutExport })
export type DeleteWallets = TypeOf<typeof deleteWalletsSchema>

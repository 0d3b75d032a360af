import { object, type TypeOf } from '../schema.ts'
import { deleteWithoutExport, idsToDelete } from './deletions.ts'

export const deletePrivateKeysSchema = object({ privateKeyIds: idsToDelete, deleteWithoutExport })
export type DeletePrivateKeys = TypeOf<typeof deletePrivateKeysSchema>

import { object, type TypeOf } from '../schema.ts'
import { idsToDelete } from './deletions.ts'

export const deletePrivateKeyTagsSchema = object({ privateKeyTagIds: idsToDelete })
export type DeletePrivateKeyTags = TypeOf<typeof deletePrivateKeyTagsSchema>

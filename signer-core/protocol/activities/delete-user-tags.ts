import { object, type TypeOf } from '../schema.ts'
import { idsToDelete } from './deletions.ts'

export const deleteUserTagsSchema = object({ userTagIds: idsToDelete })
export type DeleteUserTags = TypeOf<typeof deleteUserTagsSchema>

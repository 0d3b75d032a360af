import { object, type TypeOf } from '../schema.ts'
import { idsToDelete } from './deletions.ts'

export const deleteUsersSchema = object({ userIds: idsToDelete })
export type DeleteUsers = TypeOf<typeof deleteUsersSchema>

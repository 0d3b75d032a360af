import { NAME_LENGTH_MAX, USERS_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { list, object, optional, text, type TypeOf } from '../schema.ts'

export const updateUserTagSchema = object({
  userTagId: uuid,
  newUserTagName: optional(text(NAME_LENGTH_MAX)),
  addUserIds: list(uuid, USERS_MAX),
  removeUserIds: list(uuid, USERS_MAX),
})
export type UpdateUserTag = TypeOf<typeof updateUserTagSchema>

import { NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { object, optional, text, type TypeOf } from '../schema.ts'
import { contact, userTags } from './users.ts'

/** What is absent stays as it is. */
export const updateUserSchema = object({
  userId: uuid,
  userName: optional(text(NAME_LENGTH_MAX)),
  userEmail: contact,
  userTagIds: optional(userTags),
  userPhoneNumber: contact,
})
export type UpdateUser = TypeOf<typeof updateUserSchema>

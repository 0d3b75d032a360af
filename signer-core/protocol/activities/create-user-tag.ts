import { NAME_LENGTH_MAX, USERS_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { list, object, text, type TypeOf } from '../schema.ts'

export const createUserTagSchema = object({ userTagName: text(NAME_LENGTH_MAX), userIds: list(uuid, USERS_MAX) })
export type CreateUserTag = TypeOf<typeof createUserTagSchema>

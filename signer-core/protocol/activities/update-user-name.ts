import { NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { object, text, type TypeOf } from '../schema.ts'

export const updateUserNameSchema = object({ userId: uuid, userName: text(NAME_LENGTH_MAX) })
export type UpdateUserName = TypeOf<typeof updateUserNameSchema>

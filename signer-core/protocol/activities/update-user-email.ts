import { NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { object, text, type TypeOf } from '../schema.ts'
import { unsupported } from './unsupported.ts'

/** An empty address takes it away. */
export const updateUserEmailSchema = object({
  userId: uuid,
  userEmail: text(NAME_LENGTH_MAX, { emptyAllowed: true }),
  verificationToken: unsupported('verification tokens are'),
})
export type UpdateUserEmail = TypeOf<typeof updateUserEmailSchema>

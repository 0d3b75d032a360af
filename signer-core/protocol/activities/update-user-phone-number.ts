import { NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { object, text, type TypeOf } from '../schema.ts'
import { unsupported } from './unsupported.ts'

/** An empty number takes it away. */
export const updateUserPhoneNumberSchema = object({
  userId: uuid,
  userPhoneNumber: text(NAME_LENGTH_MAX, { emptyAllowed: true }),
  verificationToken: unsupported('verification tokens are'),
})
export type UpdateUserPhoneNumber = TypeOf<typeof updateUserPhoneNumberSchema>

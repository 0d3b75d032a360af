import { KEYS_PER_ACTIVITY_MAX, NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { list, object, optional, text, type TypeOf } from '../schema.ts'

export const updatePrivateKeyTagSchema = object({
  privateKeyTagId: uuid,
  newPrivateKeyTagName: optional(text(NAME_LENGTH_MAX)),
  addPrivateKeyIds: list(uuid, KEYS_PER_ACTIVITY_MAX),
  removePrivateKeyIds: list(uuid, KEYS_PER_ACTIVITY_MAX),
})
export type UpdatePrivateKeyTag = TypeOf<typeof updatePrivateKeyTagSchema>

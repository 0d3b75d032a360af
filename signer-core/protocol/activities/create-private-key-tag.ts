import { KEYS_PER_ACTIVITY_MAX, NAME_LENGTH_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { list, object, text, type TypeOf } from '../schema.ts'

export const createPrivateKeyTagSchema = object({
  privateKeyTagName: text(NAME_LENGTH_MAX),
  privateKeyIds: list(uuid, KEYS_PER_ACTIVITY_MAX),
})
export type CreatePrivateKeyTag = TypeOf<typeof createPrivateKeyTagSchema>

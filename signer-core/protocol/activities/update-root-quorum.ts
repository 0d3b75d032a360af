import { USERS_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { integer, list, object, type TypeOf } from '../schema.ts'

export const updateRootQuorumSchema = object({
  threshold: integer(1, USERS_MAX),
  userIds: list(uuid, USERS_MAX, { countMin: 1 }),
})
export type UpdateRootQuorum = TypeOf<typeof updateRootQuorumSchema>

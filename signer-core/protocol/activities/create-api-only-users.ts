import { USERS_MAX } from '../limits.ts'
import { list, object, type TypeOf } from '../schema.ts'
import { apiKeyParamsV1 } from './api-keys.ts'
import { userParams } from './users.ts'

export const createApiOnlyUsersSchema = object({
  apiOnlyUsers: list(userParams(apiKeyParamsV1, { phone: false, tags: true }), USERS_MAX, { countMin: 1 }),
})
export type CreateApiOnlyUsers = TypeOf<typeof createApiOnlyUsersSchema>

import { USERS_MAX } from '../limits.ts'
import { list, object, type TypeOf } from '../schema.ts'
import { apiKeyParams, apiKeyParamsV1 } from './api-keys.ts'
import { userParams } from './users.ts'

/** V3 is read like V4: they differ in the form of OAuth providers, of which there are none. */
export const createUsersV4Schema = object({
  users: list(userParams(apiKeyParams, { phone: true, tags: true }), USERS_MAX, { countMin: 1 }),
})
/** V1 is read like V2: they differ in the form of authenticators, of which there are none, and in `accessType`. */
export const createUsersV2Schema = object({
  users: list(userParams(apiKeyParamsV1, { phone: false, tags: true }), USERS_MAX, { countMin: 1 }),
})
export type CreateUsers = TypeOf<typeof createUsersV4Schema>

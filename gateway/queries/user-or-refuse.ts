import type { User } from '../../signer-core/protocol/organization-record.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/middleware/stamp.ts'

/** @throws {ApiError} `RESOURCE_NOT_FOUND`. */
export function userOrRefuse(userId: string, { organization }: Caller): User {
  const user = organization.users.find((each) => each.userId === userId)
  if (user === undefined) throw new ApiError('RESOURCE_NOT_FOUND', 'no user found with the given ID')
  return user
}

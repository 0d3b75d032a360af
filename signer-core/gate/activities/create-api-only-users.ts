import type { CreateApiOnlyUsers } from '../../protocol/activities/create-api-only-users.ts'
import type { Operation } from '../operation.ts'
import { planNewUsers } from './create-users.ts'

export const createApiOnlyUsers: Operation<CreateApiOnlyUsers> = {
  plan: ({ apiOnlyUsers }, context) =>
    planNewUsers('CREATE_API_ONLY_USERS', 'createApiOnlyUsersResult', apiOnlyUsers, context),
}

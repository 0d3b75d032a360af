import type { CreateUsers } from '../../protocol/activities/create-users.ts'
import type { UserParams } from '../../protocol/activities/users.ts'
import { newIds } from '../key-ids.ts'
import { newUser } from '../new-users.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation, type Plan, type PlanContext } from '../operation.ts'

/** @param result Name of the member of the result. */
export function planNewUsers(operation: string, result: string, params: UserParams[], context: PlanContext): Plan {
  const nextId = newIds(context)
  const created = params.map((each) => newUser(each, nextId, context.nowMs))
  const userIds = created.map(({ userId }) => userId)
  const next = nextRecord(context, { users: [...context.organization.users, ...created] })
  return {
    commitment: committed(operation, { userIds, users: params }),
    execute: () => ({ result: { [result]: { userIds } }, organization: next }),
  }
}

export const createUsers: Operation<CreateUsers> = {
  plan: ({ users }, context) => planNewUsers('CREATE_USERS', 'createUsersResult', users, context),
}

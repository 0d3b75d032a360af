import type { UpdateUser } from '../../protocol/activities/update-user.ts'
import type { User } from '../../protocol/organization-record.ts'
import { orAbsent } from '../new-users.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation, type Plan, type PlanContext } from '../operation.ts'
import { tagOfId, userOfId, withUser } from '../record-parts.ts'

/** @param changes What is to be different. */
export function planUserChange(
  operation: string,
  result: string,
  userId: string,
  changes: Partial<User>,
  context: PlanContext,
): Plan {
  const user = userOfId(context.organization, userId, 'parameters.userId')
  const changed = { ...user, ...changes, updatedAtMs: context.nowMs }
  const next = nextRecord(context, { users: withUser(context.organization, changed) })
  return {
    commitment: committed(operation, { userId, ...changes }),
    execute: () => ({ result: { [result]: { userId } }, organization: next }),
  }
}

export const updateUser: Operation<UpdateUser> = {
  plan({ userId, userName, userEmail, userPhoneNumber, userTagIds }, context) {
    const field = 'parameters.userTagIds'
    userTagIds?.forEach((tagId, i) => tagOfId(context.organization, 'userTags', tagId, `${field}.${i}`))
    const changes: Partial<User> = {
      ...(userName !== undefined && { userName }),
      ...(userEmail !== undefined && { userEmail: orAbsent(userEmail) }),
      ...(userPhoneNumber !== undefined && { userPhoneNumber: orAbsent(userPhoneNumber) }),
      ...(userTagIds !== undefined && { userTags: [...new Set(userTagIds)] }),
    }
    return planUserChange('UPDATE_USER', 'updateUserResult', userId, changes, context)
  },
}

import type { DeleteUsers } from '../../protocol/activities/delete-users.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { userOfId } from '../record-parts.ts'

/** A member of the root quorum must leave it first, which only the quorum can do. */
export const deleteUsers: Operation<DeleteUsers> = {
  plan({ userIds }, context) {
    const { organization } = context
    userIds.forEach((userId, i) => userOfId(organization, userId, `parameters.userIds.${i}`))
    const left = organization.users.filter(({ userId }) => !userIds.includes(userId))
    const next = nextRecord(context, { users: left })
    return {
      commitment: committed('DELETE_USERS', { userIds }),
      execute: () => ({ result: { deleteUsersResult: { userIds } }, organization: next }),
    }
  },
}

import type { CreateUserTag } from '../../protocol/activities/create-user-tag.ts'
import { newIds } from '../key-ids.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { userOfId } from '../record-parts.ts'

export const createUserTag: Operation<CreateUserTag> = {
  plan({ userTagName: tagName, userIds: named }, context) {
    const { organization, nowMs } = context
    named.forEach((userId, i) => userOfId(organization, userId, `parameters.userIds.${i}`))
    const userIds = [...new Set(named)]
    const tagId = newIds(context)()
    const next = nextRecord(context, {
      userTags: [...organization.userTags, { tagId, tagName, createdAtMs: nowMs, updatedAtMs: nowMs }],
      users: organization.users.map((user) =>
        userIds.includes(user.userId) ? { ...user, userTags: [...user.userTags, tagId], updatedAtMs: nowMs } : user,
      ),
    })
    return {
      commitment: committed('CREATE_USER_TAG', { tagId, tagName, userIds }),
      execute: () => ({ result: { createUserTagResult: { userTagId: tagId, userIds } }, organization: next }),
    }
  },
}

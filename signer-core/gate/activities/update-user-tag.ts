import type { UpdateUserTag } from '../../protocol/activities/update-user-tag.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { tagOfId, userOfId } from '../record-parts.ts'

/** Whoever is to be added and removed is removed. */
export const updateUserTag: Operation<UpdateUserTag> = {
  plan({ userTagId: tagId, newUserTagName, addUserIds, removeUserIds }, context) {
    const { organization, nowMs } = context
    const tag = tagOfId(organization, 'userTags', tagId, 'parameters.userTagId')
    addUserIds.forEach((userId, i) => userOfId(organization, userId, `parameters.addUserIds.${i}`))
    const changed = { ...tag, tagName: newUserTagName ?? tag.tagName, updatedAtMs: nowMs }
    const next = nextRecord(context, {
      userTags: organization.userTags.map((each) => (each === tag ? changed : each)),
      users: organization.users.map((user) => {
        const had = user.userTags.includes(tagId)
        const has = (had || addUserIds.includes(user.userId)) && !removeUserIds.includes(user.userId)
        if (has === had) return user
        const others = user.userTags.filter((each) => each !== tagId)
        return { ...user, userTags: has ? [...others, tagId] : others, updatedAtMs: nowMs }
      }),
    })
    return {
      commitment: committed('UPDATE_USER_TAG', { tagId, newUserTagName, addUserIds, removeUserIds }),
      execute: () => ({ result: { updateUserTagResult: { userTagId: tagId } }, organization: next }),
    }
  },
}

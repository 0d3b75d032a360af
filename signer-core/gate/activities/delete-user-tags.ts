import type { DeleteUserTags } from '../../protocol/activities/delete-user-tags.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { tagOfId } from '../record-parts.ts'

/** The users stay, without the tags. */
export const deleteUserTags: Operation<DeleteUserTags> = {
  plan({ userTagIds }, context) {
    const { organization, nowMs } = context
    userTagIds.forEach((tagId, i) => tagOfId(organization, 'userTags', tagId, `parameters.userTagIds.${i}`))
    const isGone = (tagId: string) => userTagIds.includes(tagId)
    const tagged = organization.users.filter(({ userTags }) => userTags.some(isGone))
    const userIds = tagged.map(({ userId }) => userId)
    const next = nextRecord(context, {
      userTags: organization.userTags.filter(({ tagId }) => !isGone(tagId)),
      users: organization.users.map((user) =>
        tagged.includes(user)
          ? { ...user, userTags: user.userTags.filter((tagId) => !isGone(tagId)), updatedAtMs: nowMs }
          : user,
      ),
    })
    return {
      commitment: committed('DELETE_USER_TAGS', { userTagIds }),
      execute: () => ({ result: { deleteUserTagsResult: { userTagIds, userIds } }, organization: next }),
    }
  },
}

import type { DeletePrivateKeyTags } from '../../protocol/activities/delete-private-key-tags.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { tagOfId } from '../record-parts.ts'

/** The keys stay, without the tags. */
export const deletePrivateKeyTags: Operation<DeletePrivateKeyTags> = {
  plan({ privateKeyTagIds }, context) {
    const { organization } = context
    const field = 'parameters.privateKeyTagIds'
    const gone = privateKeyTagIds.map((tagId, i) => tagOfId(organization, 'privateKeyTags', tagId, `${field}.${i}`))
    const privateKeyIds = [...new Set(gone.flatMap((tag) => tag.privateKeyIds))]
    const privateKeyTags = organization.privateKeyTags.filter((tag) => !gone.includes(tag))
    const next = nextRecord(context, { privateKeyTags })
    return {
      commitment: committed('DELETE_PRIVATE_KEY_TAGS', { privateKeyTagIds }),
      execute: () => ({
        result: { deletePrivateKeyTagsResult: { privateKeyTagIds, privateKeyIds } },
        organization: next,
      }),
    }
  },
}

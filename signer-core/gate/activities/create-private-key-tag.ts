import type { CreatePrivateKeyTag } from '../../protocol/activities/create-private-key-tag.ts'
import { newIds } from '../key-ids.ts'
import { keyOfId } from '../named-key.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'

export const createPrivateKeyTag: Operation<CreatePrivateKeyTag> = {
  plan({ privateKeyTagName: tagName, privateKeyIds: named }, context) {
    const { organization, nowMs } = context
    named.forEach((keyId, i) => keyOfId(context.keys, keyId, `parameters.privateKeyIds.${i}`))
    const privateKeyIds = [...new Set(named)]
    const tagId = newIds(context)()
    const tag = { tagId, tagName, privateKeyIds, createdAtMs: nowMs, updatedAtMs: nowMs }
    const next = nextRecord(context, { privateKeyTags: [...organization.privateKeyTags, tag] })
    return {
      commitment: committed('CREATE_PRIVATE_KEY_TAG', { tagId, tagName, privateKeyIds }),
      execute: () => ({
        result: { createPrivateKeyTagResult: { privateKeyTagId: tagId, privateKeyIds } },
        organization: next,
      }),
    }
  },
}

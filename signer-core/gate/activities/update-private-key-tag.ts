import type { UpdatePrivateKeyTag } from '../../protocol/activities/update-private-key-tag.ts'
import { keyOfId } from '../named-key.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { tagOfId } from '../record-parts.ts'

/** What is to be added and removed is removed. */
export const updatePrivateKeyTag: Operation<UpdatePrivateKeyTag> = {
  plan({ privateKeyTagId: tagId, newPrivateKeyTagName, addPrivateKeyIds, removePrivateKeyIds }, context) {
    const { organization, nowMs } = context
    const tag = tagOfId(organization, 'privateKeyTags', tagId, 'parameters.privateKeyTagId')
    addPrivateKeyIds.forEach((keyId, i) => keyOfId(context.keys, keyId, `parameters.addPrivateKeyIds.${i}`))
    const all = [...new Set([...tag.privateKeyIds, ...addPrivateKeyIds])]
    const changed = {
      ...tag,
      tagName: newPrivateKeyTagName ?? tag.tagName,
      privateKeyIds: all.filter((keyId) => !removePrivateKeyIds.includes(keyId)),
      updatedAtMs: nowMs,
    }
    const privateKeyTags = organization.privateKeyTags.map((each) => (each === tag ? changed : each))
    const next = nextRecord(context, { privateKeyTags })
    const commitment = { tagId, newPrivateKeyTagName, addPrivateKeyIds, removePrivateKeyIds }
    return {
      commitment: committed('UPDATE_PRIVATE_KEY_TAG', commitment),
      execute: () => ({ result: { updatePrivateKeyTagResult: { privateKeyTagId: tagId } }, organization: next }),
    }
  },
}

import type { DeletePrivateKeys } from '../../protocol/activities/delete-private-keys.ts'
import { keyOfId } from '../named-key.ts'
import { refuseNeverExported } from '../never-exported.ts'
import { nextRecord } from '../next-record.ts'
import type { Operation } from '../operation.ts'
import { withoutKeys } from '../tagged-keys.ts'

export const deletePrivateKeys: Operation<DeletePrivateKeys> = {
  plan({ privateKeyIds, deleteWithoutExport }, context) {
    const field = 'parameters.privateKeyIds'
    privateKeyIds.forEach((id, i) => keyOfId(context.keys, id, `${field}.${i}`))
    refuseNeverExported(privateKeyIds, deleteWithoutExport, context, field)
    const privateKeyTags = withoutKeys(context.organization, privateKeyIds, context.nowMs)
    const next = privateKeyTags && nextRecord(context, { privateKeyTags })
    return {
      commitment: {
        operation: 'DELETE_PRIVATE_KEYS',
        privateKeyIds,
        deleteWithoutExport: deleteWithoutExport === true,
      },
      execute: () => ({
        result: { deletePrivateKeysResult: { privateKeyIds } },
        changes: [{ change: 'privateKeysDeleted', privateKeyIds }],
        ...(next && { organization: next }),
      }),
    }
  },
}

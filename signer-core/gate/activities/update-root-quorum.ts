import type { UpdateRootQuorum } from '../../protocol/activities/update-root-quorum.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'

export const updateRootQuorum: Operation<UpdateRootQuorum> = {
  plan({ threshold, userIds }, context) {
    const next = nextRecord(context, { rootQuorum: { threshold, userIds } })
    return {
      commitment: committed('UPDATE_ROOT_QUORUM', { threshold, userIds }),
      execute: () => ({ result: { updateRootQuorumResult: {} }, organization: next }),
    }
  },
}

import type { DeleteSubOrganization } from '../../protocol/activities/delete-sub-organization.ts'
import { RefusalError } from '../../protocol/refusals.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'

/**
 * The organization that the body names; from then on its record refuses everything. Whether everything in it was
 * exported only the gateway can see, which also empties what is sealed.
 */
export const deleteSubOrganization: Operation<DeleteSubOrganization> = {
  plan({ deleteWithoutExport = false }, context) {
    const { organizationId, organization, nowMs } = context
    if (organization.parentOrganizationId === undefined) {
      throw new RefusalError('PARAMETERS_INVALID', 'only sub-organizations can be deleted', 'organizationId')
    }
    const next = nextRecord(context, { deletedAtMs: nowMs })
    return {
      commitment: committed('DELETE_SUB_ORGANIZATION', { organizationId, deleteWithoutExport }),
      execute: () => ({
        result: { deleteSubOrganizationResult: { subOrganizationUuid: organizationId } },
        organization: next,
        changes: [{ change: 'organizationDeleted' }],
      }),
    }
  },
}

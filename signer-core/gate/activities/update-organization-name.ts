import type { UpdateOrganizationName } from '../../protocol/activities/update-organization-name.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'

export const updateOrganizationName: Operation<UpdateOrganizationName> = {
  plan({ organizationName }, context) {
    const { organizationId } = context
    const next = nextRecord(context, { organizationName })
    return {
      commitment: committed('UPDATE_ORGANIZATION_NAME', { organizationName }),
      execute: () => ({
        result: { updateOrganizationNameResult: { organizationId, organizationName } },
        organization: next,
      }),
    }
  },
}

import { object, text } from '../../signer-core/protocol/schema.ts'
import { UUID } from '../../signer-core/protocol/organization-record.ts'
import { presentActivity } from '../activities/present.ts'
import { ApiError } from '../http/errors.ts'
import { defineQuery } from './query.ts'

export const getActivity = defineQuery({
  parameters: object({ activityId: text(64) }),
  async run({ activityId }, { organization }, { activities }) {
    const activity = UUID.test(activityId) ? await activities.get(activityId) : undefined
    if (activity?.organizationId !== organization.organizationId || activity.phase === 'refused') {
      throw new ApiError('RESOURCE_NOT_FOUND', 'no activity found with the given ID')
    }
    return { activity: presentActivity(activity) }
  },
})

import { object, text } from '../../signer-core/protocol/schema.ts'
import { presentActivity } from '../activities/present.ts'
import { ApiError } from '../http/errors.ts'
import { activityOrRefuse } from './activity-or-refuse.ts'
import { defineQuery } from './query.ts'

export const getActivity = defineQuery({
  parameters: object({ activityId: text(64) }),
  async run({ activityId }, caller, parts) {
    const activity = await activityOrRefuse(activityId, caller, parts)
    if (activity.phase === 'refused') throw new ApiError('RESOURCE_NOT_FOUND', 'no activity found with the given ID')
    return { activity: await presentActivity(activity, caller, parts.activities) }
  },
})

import { object } from '../../signer-core/protocol/schema.ts'
import { presentActivity } from '../activities/present.ts'
import { activityFilter, findActivities, matching } from './find-activities.ts'
import { pageWanted, paginationSchema } from './pagination.ts'
import { defineQuery } from './query.ts'

/** Newest first. */
export const listActivities = defineQuery({
  parameters: object({
    filterByStatus: activityFilter,
    filterByType: activityFilter,
    paginationOptions: paginationSchema,
  }),
  async run({ filterByStatus, filterByType, paginationOptions }, caller, { activities }) {
    const { organizationId } = caller.organization
    const matches = matching(filterByStatus, filterByType)
    const found = await findActivities(activities, organizationId, pageWanted(paginationOptions), matches)
    return { activities: await Promise.all(found.map((each) => presentActivity(each, caller, activities))) }
  },
})

import { list, object, optional, pattern } from '../../signer-core/protocol/schema.ts'
import { phases } from '../activities/phases.ts'
import { presentActivity } from '../activities/present.ts'
import type { ActivityDocument } from '../documents.ts'
import { idCursor } from '../store/find-cursor.ts'
import type { Collection } from '../store/store.ts'
import { pageWanted, paginationSchema, type PageWanted } from './pagination.ts'
import { defineQuery } from './query.ts'

const FILTER_VALUES_MAX = 200
const SCAN_PAGE = 200
/** Activities that one request looks at; a filter that matches less often than that gives a short page. */
const SCANNED_MAX = 10_000

const filter = optional(list(pattern(/^ACTIVITY_[A-Z0-9_]{1,100}$/, 'a status or type'), FILTER_VALUES_MAX))

type Matches = (activity: ActivityDocument) => boolean

/** Newest first: ids are UUIDs of version 7, which sort by time. */
export const listActivities = defineQuery({
  parameters: object({ filterByStatus: filter, filterByType: filter, paginationOptions: paginationSchema }),
  async run({ filterByStatus = [], filterByType = [], paginationOptions }, { organization }, { activities }) {
    const matches: Matches = ({ phase, type }) => {
      const { status } = phases[phase]
      if (status === undefined) return false
      const byStatus = filterByStatus.length === 0 || filterByStatus.includes(status)
      return byStatus && (filterByType.length === 0 || filterByType.includes(type))
    }
    const found = await collect(activities, organization.organizationId, pageWanted(paginationOptions), matches)
    return { activities: found.map(presentActivity) }
  },
})

async function collect(
  activities: Collection<ActivityDocument>,
  organizationId: string,
  { limit, beside, backwards }: PageWanted,
  matches: Matches,
): Promise<ActivityDocument[]> {
  const descending = !backwards
  const query = { where: { organizationId }, sort: '_id', descending, limit: SCAN_PAGE } as const
  const found: ActivityDocument[] = []
  let after = beside === undefined ? undefined : idCursor(beside, descending)
  for (let scanned = 0; scanned < SCANNED_MAX && found.length < limit; scanned += SCAN_PAGE) {
    const page = await activities.find(after === undefined ? query : { ...query, after })
    found.push(...page.items.filter(matches))
    after = page.next
    if (after === undefined) break
  }
  const wanted = found.slice(0, limit)
  return backwards ? wanted.toReversed() : wanted
}

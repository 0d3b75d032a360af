import { phases } from '../activities/phases.ts'
import type { ActivityDocument } from '../documents.ts'
import { idCursor } from '../store/find-cursor.ts'
import type { Collection } from '../store/store.ts'
import { list, optional, pattern } from '../../signer-core/protocol/schema.ts'
import type { PageWanted } from './pagination.ts'

const FILTER_VALUES_MAX = 200
const SCAN_PAGE = 200
/** Activities that one request looks at; a filter that matches less often than that gives a short page. */
const SCANNED_MAX = 10_000

/** Statuses or types; absent or empty: all. */
export const activityFilter = optional(
  list(pattern(/^ACTIVITY_[A-Z0-9_]{1,100}$/, 'a status or type'), FILTER_VALUES_MAX),
)

type Matches = (activity: ActivityDocument) => boolean

/** What clients know as activities: not those that were refused. */
export function matching(statuses: readonly string[] = [], types: readonly string[] = []): Matches {
  return ({ phase, type }) => {
    const { status } = phases[phase]
    if (status === undefined) return false
    const byStatus = statuses.length === 0 || statuses.includes(status)
    return byStatus && (types.length === 0 || types.includes(type))
  }
}

/** Newest first: ids are UUIDs of version 7, which sort by time. */
export async function findActivities(
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

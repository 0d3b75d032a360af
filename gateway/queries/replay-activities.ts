import { object } from '../../signer-core/protocol/schema.ts'
import { phases } from '../activities/phases.ts'
import type { ActivityDocument } from '../documents.ts'
import { presentTime } from '../http/present-time.ts'
import { candidatePolicies } from '../simulations/candidate-policies.ts'
import type { Simulated } from '../simulations/simulations.ts'
import { activityFilter, findActivities, matching } from './find-activities.ts'
import { pageWanted, paginationSchema } from './pagination.ts'
import { defineQuery } from './query.ts'

/**
 * Keystead's own: what `policies` would say of past activities, newest first, each at its time, by whoever submitted and
 * approved it. Users, keys and root quorum are the present ones; what is gone since gives an `error` in place of an outcome.
 */
export const replayActivities = defineQuery({
  parameters: object({
    policies: candidatePolicies,
    filterByType: activityFilter,
    paginationOptions: paginationSchema,
  }),
  async run({ policies, filterByType, paginationOptions }, { organization }, { activities, simulations }) {
    const { organizationId } = organization
    const page = pageWanted(paginationOptions)
    const found = await findActivities(activities, organizationId, page, matching([], filterByType))
    const replays: object[] = []
    // One after the other: a hundred decisions at once would stand in the way of everybody else's.
    for (const activity of found) {
      const answer = await simulations.run(asItWas(activity), policies)
      const { _id: activityId, type, phase, createdAtMs } = activity
      const shown = { activityId, type, status: phases[phase].status, createdAt: presentTime(createdAtMs) }
      const { code, message } = answer.ok ? {} : answer.refusal
      replays.push({ ...shown, ...(answer.ok ? answer.value : { error: { code, message } }) })
    }
    return { replays }
  },
})

function asItWas({ _id, organizationId, type, body, userId, votes = [], createdAtMs }: ActivityDocument): Simulated {
  const approvals = votes.filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
  const subjects = [userId, ...approvals.map((vote) => vote.userId)].map((each) => ({ userId: each }))
  return { _id, organizationId, type, body, subjects, atMs: createdAtMs }
}

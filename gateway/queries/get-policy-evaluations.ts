import type { EvaluationText, Notarized, PolicyEvaluation } from '../../signer-core/protocol/messages.ts'
import { object, text } from '../../signer-core/protocol/schema.ts'
import type { ActivityDocument } from '../documents.ts'
import { presentTime } from '../http/present-time.ts'
import { activityOrRefuse } from './activity-or-refuse.ts'
import { defineQuery } from './query.ts'

/**
 * What the policies said of an activity: with each vote, and last when it was decided or began to wait. Empty when they
 * were not asked, because the root quorum was enough.
 */
export const getPolicyEvaluations = defineQuery({
  parameters: object({ activityId: text(64) }),
  async run({ activityId }, caller, parts) {
    const activity = await activityOrRefuse(activityId, caller, parts)
    const { _id, organizationId } = activity
    const policyEvaluations = said(activity).map(({ voteId, atMs, policies }) => ({
      id: voteId,
      activityId: _id,
      organizationId,
      voteId,
      policyEvaluations: policies,
      createdAt: presentTime(atMs),
    }))
    return { policyEvaluations }
  },
})

interface Said {
  /** The activity's own id stands for its submitter's vote. */
  voteId: string
  atMs: number
  policies: PolicyEvaluation[]
}

function said({ _id, updatedAtMs, votes = [], evaluation, failure }: ActivityDocument): Said[] {
  const ofVotes = votes.map((vote) => ({
    voteId: vote.voteId,
    atMs: vote.createdAtMs,
    policies: read(vote.evaluation),
  }))
  const policies = failure?.policyEvaluations ?? (evaluation === undefined ? [] : read(evaluation))
  return [...ofVotes, { voteId: _id, atMs: updatedAtMs, policies }].filter((each) => each.policies.length > 0)
}

function read({ text: evaluation }: Notarized): PolicyEvaluation[] {
  return (JSON.parse(evaluation) as EvaluationText).policyEvaluations
}

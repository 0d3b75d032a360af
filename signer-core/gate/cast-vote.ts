/** A vote: an activity of its own about another that waits. It is checked here; what follows from it, the other's next call decides. */
import type { Credential, OrganizationRecord } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { makeEvaluation, readOwn, recheckStored, type EvaluationFacts } from './evaluation.ts'
import { judgeActivity } from './judge-activity.ts'
import { committed } from './operation.ts'
import { nothingDone } from './nothing-done.ts'
import { isCarried, planActivity } from './plan-activity.ts'
import type { Decided } from './receipt.ts'
import { identify, readActivity, readBody, type Activity, type Body } from './stamped-body.ts'
import { approvalsOf, hasLapsed, isVoteOn, readVotes, selectionOf } from './votes.ts'
import type { GateRequest, Target } from './wit-types.ts'

/**
 * @throws {RefusalError} `ACTIVITY_NOT_FOUND`, `VOTE_REFUSED`, `VOTE_LAPSED`, `VOTED_ALREADY`, `VOTE_NOT_AUTHORIZED`,
 * and whatever refuses the target itself.
 */
export function castVote(
  vote: Activity,
  body: Body,
  request: GateRequest,
  organization: OrganizationRecord,
  voter: Credential,
): Decided {
  const nowMs = Number(request.nowMs)
  const target = targetOf(vote, request)
  if (hasLapsed(body, nowMs)) throw new RefusalError('VOTE_LAPSED', 'a vote counts for a day', 'timestampMs')
  const { stamped } = target
  const activity = readActivity(readBody(stamped.body, organization))
  if (!isCarried(activity)) throw refused('a vote cannot be voted on')
  const submitter = presentSubmitter(target, organization, nowMs)
  const plan = planActivity(activity, stamped, submitter.user.userId, organization, request)
  const approvals = approvalsOf(readVotes(target.votes, stamped.bodyDigest, organization, nowMs), submitter)
  const heard = [submitter, ...approvals.map(({ credential }) => credential)]
  const approves = selectionOf(vote) === 'VOTE_SELECTION_APPROVED'
  if (approves && heard.some(({ user }) => user.userId === voter.user.userId)) {
    throw new RefusalError('VOTED_ALREADY', 'the user has approved this activity already')
  }
  const voters = approves ? [...heard, voter] : heard
  const { outcome, evaluations, voterIds } = judgeActivity({
    activity,
    plan,
    organization,
    voters,
    nowMs,
    voices: true,
  })
  if (!voterIds.includes(voter.user.userId)) {
    throw new RefusalError('VOTE_NOT_AUTHORIZED', 'nothing asks for the vote of this user', '', evaluations)
  }
  const ofTarget = { organizationId: organization.organizationId, organizationVersion: organization.version }
  const { activityId: targetId, bodyDigest } = stamped
  const about = { ...ofTarget, activityId: targetId, bodyDigest, commitment: plan.commitment }
  recheckTarget(target, { ...about, outcome, policyEvaluations: [], voteIds: [], voterIds: [] })
  const facts: EvaluationFacts = {
    ...ofTarget,
    outcome: approves ? outcome : 'OUTCOME_REJECTED',
    activityId: request.activityId,
    bodyDigest: request.bodyDigest,
    commitment: committed(approves ? 'APPROVE_ACTIVITY' : 'REJECT_ACTIVITY', { targetId }),
    policyEvaluations: evaluations,
    voteIds: [...approvals.map(({ voteId }) => voteId), ...(approves ? [request.activityId] : [])],
    voterIds,
    targetId,
  }
  if (request.evaluation !== null && request.evaluation !== undefined) recheckStored(request.evaluation, facts)
  return nothingDone('COMPLETED', makeEvaluation(facts), organization.version)
}

function targetOf(vote: Activity, request: GateRequest): Target {
  // QuickJS hands an absent option over as null.
  const target = request.target ?? undefined
  if (target === undefined) throw notFound('No activity found with the given fingerprint')
  if (request.votes.length > 0) throw refused('votes are not voted on')
  if (!isVoteOn(vote, target.stamped.bodyDigest)) throw refused('the vote is about another activity')
  return target
}

/** Without its submitter an activity cannot be carried out any more, so there is nothing to vote on. */
function presentSubmitter({ stamped }: Target, organization: OrganizationRecord, nowMs: number): Credential {
  try {
    return identify(stamped, organization, nowMs)
  } catch (error) {
    if (error instanceof RefusalError) throw notFound('the activity was submitted with a credential that is gone')
    throw error
  }
}

/** The signer itself must have said that it waits, and about exactly this. */
function recheckTarget({ evaluation }: Target, facts: EvaluationFacts): void {
  recheckStored(evaluation, facts)
  if (readOwn(evaluation)?.outcome !== 'OUTCOME_REQUIRES_CONSENSUS') throw refused('the activity does not wait')
}

function refused(message: string): RefusalError {
  return new RefusalError('VOTE_REFUSED', message)
}

function notFound(message: string): RefusalError {
  return new RefusalError('ACTIVITY_NOT_FOUND', message, 'parameters.fingerprint')
}

/**
 * One activity, the whole decision in order: parse, identify, plan, count votes, decide, evaluate, re-check, execute,
 * sign the receipt.
 */
import type { OutcomeStatus } from '../protocol/messages.ts'
import type { Credential, OrganizationRecord } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { castVote } from './cast-vote.ts'
import { makeEvaluation, recheckEvaluated, recheckStored, type EvaluationFacts } from './evaluation.ts'
import { judgeActivity, type Judgement } from './judge-activity.ts'
import { nothingDone } from './nothing-done.ts'
import type { Plan } from './operation.ts'
import { notarizeOrganization, readOrganization, refuseDeleted } from './organization.ts'
import { isCarried, planActivity, type CarriedActivity } from './plan-activity.ts'
import { withReceipt, type Decided } from './receipt.ts'
import { identify, readActivity, readBody } from './stamped-body.ts'
import { approvalsOf, readVotes, type ReadVote } from './votes.ts'
import type { GateOutcome, GateRequest } from './wit-types.ts'

export function perform(request: GateRequest): GateOutcome {
  const organization = readOrganization(request)
  const body = readBody(request.body, organization)
  const credential = identify(request, organization, Number(request.nowMs))
  // Whoever is not known gets no receipt: the log of an organization is its users' own.
  return withReceipt(request, organization.organizationId, () => {
    refuseDeleted(organization)
    const activity = readActivity(body)
    if (isCarried(activity)) return carryOut(activity, request, organization, credential)
    return castVote(activity, body, request, organization, credential)
  })
}

function carryOut(
  activity: CarriedActivity,
  request: GateRequest,
  organization: OrganizationRecord,
  submitter: Credential,
): Decided {
  // QuickJS hands an absent option over as null.
  if ((request.target ?? undefined) !== undefined) {
    throw new RefusalError('VOTE_REFUSED', 'only a vote is about another activity')
  }
  const nowMs = Number(request.nowMs)
  const plan = planActivity(activity, request, submitter.user.userId, organization, request)
  const votes = readVotes(request.votes, request.bodyDigest, organization, nowMs)
  const approvals = approvalsOf(votes, submitter)
  const voters = [submitter, ...approvals.map(({ credential }) => credential)]
  const voices = votes.some(({ selection }) => selection === 'VOTE_SELECTION_REJECTED')
  const judgement = judgeActivity({ activity, plan, organization, voters, nowMs, voices })
  const facts = {
    outcome: judgement.outcome,
    activityId: request.activityId,
    bodyDigest: request.bodyDigest,
    commitment: plan.commitment,
    organizationId: organization.organizationId,
    organizationVersion: organization.version,
    policyEvaluations: judgement.evaluations,
    voteIds: approvals.map(({ voteId }) => voteId),
    voterIds: judgement.voterIds,
  }
  recheckWaiting(request, facts)
  const undone = (status: OutcomeStatus, outcome: string) =>
    nothingDone(status, makeEvaluation({ ...facts, outcome }), organization.version)
  if (isRejected(votes, judgement)) return undone('REJECTED', 'OUTCOME_REJECTED')
  switch (judgement.outcome) {
    case 'OUTCOME_ALLOW':
      return execute(plan, facts)
    case 'OUTCOME_REQUIRES_CONSENSUS':
      return undone('CONSENSUS_NEEDED', judgement.outcome)
    case 'OUTCOME_DENY_EXPLICIT':
      throw denied('policy engine denied request explicitly', judgement)
    case 'OUTCOME_DENY_IMPLICIT':
      throw denied('No policies evaluated to outcome: Allow; request not authorized', judgement)
  }
}

/** Votes are about an activity that waits, so there must be the evaluation with which it began to. */
function recheckWaiting({ evaluation, votes }: GateRequest, facts: EvaluationFacts): void {
  // QuickJS hands an absent option over as null.
  const stored = evaluation ?? undefined
  if (stored !== undefined) recheckStored(stored, facts)
  else if (votes.length > 0) {
    throw new RefusalError('SIGNER_REQUEST_MISMATCH', 'votes on an activity that has not been evaluated')
  }
}

/** Whoever could approve may end it, even having approved. */
function isRejected(votes: ReadVote[], { voterIds }: Judgement): boolean {
  return votes.some(
    ({ selection, credential }) => selection === 'VOTE_SELECTION_REJECTED' && voterIds.includes(credential.user.userId),
  )
}

function denied(message: string, { evaluations }: Judgement): RefusalError {
  return new RefusalError('REQUEST_NOT_AUTHORIZED', message, '', evaluations)
}

function execute(plan: Plan, facts: EvaluationFacts): Decided {
  const evaluated = makeEvaluation(facts)
  recheckEvaluated(evaluated, plan.commitment)
  const effect = plan.execute()
  return {
    status: 'COMPLETED',
    result: JSON.stringify(effect.result),
    evaluation: evaluated.evaluation,
    evaluationDigest: evaluated.evaluationDigest,
    newKeys: effect.newKeys ?? [],
    newWallets: effect.newWallets ?? [],
    changes: JSON.stringify(effect.changes ?? []),
    importTarget: effect.importTarget,
    organization: effect.organization && notarizeOrganization(effect.organization),
    newOrganization: effect.newOrganization && notarizeOrganization(effect.newOrganization),
    organizationVersion: facts.organizationVersion,
  }
}

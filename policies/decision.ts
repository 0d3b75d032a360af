/**
 * The decision on one activity over a whole policy set: facts in, decision out; no clock, no I/O. It counts when it
 * runs inside the signer; anywhere else it only explains.
 */
import type { Votes } from './consensus.ts'
import { DECISION_STEPS_MAX } from './language/limits.ts'
import { Steps } from './language/steps.ts'
import type { Struct } from './language/values.ts'
import { PolicyJudge } from './policy-judge.ts'
import type { CompiledPolicy } from './policy.ts'

/** As the wire names them. */
export type PolicyOutcome =
  | 'OUTCOME_ALLOW'
  | 'OUTCOME_DENY_EXPLICIT'
  /** It does not match. */
  | 'OUTCOME_DENY_IMPLICIT'
  /** An ALLOW policy whose condition holds, whose consensus does not yet, and which asks for a vote that was given. */
  | 'OUTCOME_REQUIRES_CONSENSUS'
  | 'OUTCOME_ERROR'
  | 'OUTCOME_TIME_INACTIVE'

export type DecisionOutcome = Exclude<PolicyOutcome, 'OUTCOME_ERROR' | 'OUTCOME_TIME_INACTIVE'>

export interface DecisionRequest {
  /**
   * By the schema of conditions: one for each payload that the activity signs, or one for the whole activity. Asked for
   * when the policies are.
   */
  facts: () => readonly Struct[]
  /** The votes so far, by the schema of consensus; the submitter's is the first. */
  votes: Votes
  /** The votes that others of the organization could still give; asked for when a consensus depends on them. */
  others: () => Votes
  rootQuorum: { threshold: number; userIds: readonly string[] }
  /** Whether nobody but the root quorum may do this. */
  rootQuorumOnly: boolean
  /** Whether everybody may do this unless a policy denies it: change their own credentials. */
  implied?: boolean
  /** Milliseconds since the epoch. */
  nowMs: number
}

export interface PolicyEvaluation {
  policyId: string
  outcome: PolicyOutcome
}

export interface Decision {
  outcome: DecisionOutcome
  /** Of the payload that decided; empty when the policies were not asked. */
  evaluations: PolicyEvaluation[]
}

/** From the most to the least restrictive: of several payloads the first of these decides. */
const order: readonly DecisionOutcome[] = [
  'OUTCOME_DENY_EXPLICIT',
  'OUTCOME_DENY_IMPLICIT',
  'OUTCOME_REQUIRES_CONSENSUS',
  'OUTCOME_ALLOW',
]

/**
 * 1. The root quorum is reached: allowed, the policies are not asked.
 * 2. A DENY policy matches, or may match and cannot be told: denied.
 * 3. An ALLOW policy matches, or the right is implied: allowed.
 * 4. Otherwise denied, unless more votes can change that: then they are waited for.
 *
 * A member of the root quorum who is not enough alone waits for the others even where a policy denies; only the root
 * quorum can then allow. Otherwise one bad DENY policy would lock an organization for good.
 */
export function decideOnActivity(policies: readonly CompiledPolicy[], request: DecisionRequest): Decision {
  const { rootQuorum } = request
  const votes = oncePerVoter(request.votes)
  const voterIds = new Set(votes.approvers.map(idOf))
  const rootVotes = [...new Set(rootQuorum.userIds)].filter((userId) => voterIds.has(userId)).length
  if (rootVotes > 0 && rootVotes >= rootQuorum.threshold) return { outcome: 'OUTCOME_ALLOW', evaluations: [] }
  const withoutPolicies = rootVotes > 0 ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
  if (request.rootQuorumOnly) return { outcome: withoutPolicies, evaluations: [] }

  const steps = new Steps(DECISION_STEPS_MAX)
  const decisions = request
    .facts()
    .map((facts) => new PolicyJudge({ ...request, votes }, facts, voterIds, steps).decide(policies))
  const [decision] = decisions.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
  if (decision === undefined) throw new Error('a decision needs facts')
  return decision.outcome !== 'OUTCOME_ALLOW' && rootVotes > 0 ? { ...decision, outcome: withoutPolicies } : decision
}

/** However often somebody voted, for `count()` it is once. */
function oncePerVoter({ approvers, credentials }: Votes): Votes {
  const distinct = (items: readonly Struct[]) => {
    const ids = items.map(idOf)
    return items.filter((_, i) => ids.indexOf(ids[i] as string) === i)
  }
  return { approvers: distinct(approvers), credentials: distinct(credentials) }
}

function idOf(item: Struct): string {
  return item.get('id') as string
}

/**
 * The decision on one activity over a whole policy set: facts in, decision out; no clock, no I/O. It counts when it
 * runs inside the signer; anywhere else it only explains.
 */
import { consensusOutlook, type Votes } from './consensus.ts'
import { EvaluationError } from './language/errors.ts'
import { evaluate } from './language/evaluate.ts'
import { DECISION_STEPS_MAX, EVALUATION_STEPS_MAX } from './language/limits.ts'
import { Steps } from './language/steps.ts'
import type { Node } from './language/syntax.ts'
import type { Struct } from './language/values.ts'
import { policyFields, type CompiledPolicy } from './policy.ts'
import type { PolicyField } from './facts/schema.ts'

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
  /** By the schema of conditions: one for each payload that the activity signs, or one for the whole activity. */
  facts: readonly Struct[]
  /** The votes so far, by the schema of consensus; the submitter's is the first. */
  votes: Votes
  /** The votes that others of the organization could still give; asked for when a consensus depends on them. */
  others: () => Votes
  rootQuorum: { threshold: number; userIds: readonly string[] }
  /** Whether nobody but the root quorum may do this. */
  rootQuorumOnly: boolean
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
 * 3. An ALLOW policy matches: allowed.
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
  const decisions = request.facts.map((facts) =>
    new PolicyJudge({ ...request, votes }, facts, voterIds, steps).decide(policies),
  )
  const [decision] = decisions.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
  if (decision === undefined) throw new Error('a decision needs facts')
  return decision.outcome !== 'OUTCOME_ALLOW' && rootVotes > 0 ? { ...decision, outcome: withoutPolicies } : decision
}

type Judged = PolicyEvaluation & {
  /** Whether it denies the whole activity. */
  denies: boolean
}

/** Judges policies over the facts of one payload. */
class PolicyJudge {
  private readonly facts: { [field in PolicyField]: Struct }
  private readonly request: DecisionRequest
  private readonly voterIds: ReadonlySet<string>
  private readonly steps: Steps
  constructor(request: DecisionRequest, condition: Struct, voterIds: ReadonlySet<string>, steps: Steps) {
    const { approvers, credentials } = request.votes
    const consensus: Struct = new Map([
      ['approvers', [...approvers]],
      ['credentials', [...credentials]],
    ])
    this.facts = { condition, consensus, time: new Map([['time', new Map([['now', request.nowMs]])]]) }
    this.request = request
    this.voterIds = voterIds
    this.steps = steps
  }

  decide(policies: readonly CompiledPolicy[]): Decision {
    const judged = policies.map((policy) => this.judge(policy))
    const has = (outcome: PolicyOutcome) => judged.some((each) => each.outcome === outcome)
    const evaluations = judged.map(({ policyId, outcome }) => ({ policyId, outcome }))
    if (judged.some(({ denies }) => denies)) return { outcome: 'OUTCOME_DENY_EXPLICIT', evaluations }
    const waiting = has('OUTCOME_REQUIRES_CONSENSUS') ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
    return { outcome: has('OUTCOME_ALLOW') ? 'OUTCOME_ALLOW' : waiting, evaluations }
  }

  private judge(policy: CompiledPolicy): Judged {
    const outcome = unlessError('OUTCOME_ERROR', () => this.outcomeOf(policy))
    const cannotTell = outcome === 'OUTCOME_ERROR' && policy.effect !== 'EFFECT_ALLOW' && !this.isRuledOut(policy)
    return { policyId: policy.policyId, outcome, denies: outcome === 'OUTCOME_DENY_EXPLICIT' || cannotTell }
  }

  /** @throws {EvaluationError} */
  private outcomeOf({ effect, expressions }: CompiledPolicy): PolicyOutcome {
    if (expressions === undefined) return 'OUTCOME_ERROR'
    if (!this.holds('time', expressions.time)) return 'OUTCOME_TIME_INACTIVE'
    // Both, whatever the first says: an error in any clause is an error of the policy.
    const condition = this.holds('condition', expressions.condition)
    const consensus = this.holds('consensus', expressions.consensus)
    if (condition && consensus) return effect === 'EFFECT_ALLOW' ? 'OUTCOME_ALLOW' : 'OUTCOME_DENY_EXPLICIT'
    if (!condition || effect !== 'EFFECT_ALLOW') return 'OUTCOME_DENY_IMPLICIT'
    return this.mayGetConsensus(expressions.consensus as Node) ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
  }

  private holds(field: PolicyField, node: Node | undefined): boolean {
    if (node === undefined) return true
    return this.steps.part(EVALUATION_STEPS_MAX, (steps) => evaluate(node, this.facts[field], steps))
  }

  private mayGetConsensus(node: Node): boolean {
    const { votes, others } = this.request
    const { canHold, votesCount } = consensusOutlook(node, votes, others(), this.voterIds, this.steps)
    return canHold && votesCount
  }

  /** Whether a policy that is an error could not match, whatever the clause with the error had said. */
  private isRuledOut({ expressions }: CompiledPolicy): boolean {
    if (expressions === undefined) return false
    return policyFields.some((field) => {
      const node = expressions[field]
      return node !== undefined && this.cannotHold(field, node)
    })
  }

  private cannotHold(field: PolicyField, node: Node): boolean {
    if (node.kind !== 'logic') return unlessError(false, () => !this.holds(field, node))
    const { operator, operands } = node
    const cannot = (operand: Node) => this.cannotHold(field, operand)
    return operator === '&&' ? operands.some(cannot) : operands.every(cannot)
  }
}

function unlessError<T>(otherwise: T, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof EvaluationError) return otherwise
    throw error
  }
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

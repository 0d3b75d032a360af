/** What each policy of a set says to one payload. */
import { consensusOutlook } from './consensus.ts'
import type { Decision, DecisionRequest, PolicyEvaluation, PolicyOutcome } from './decision.ts'
import type { PolicyField } from './facts/schema.ts'
import { EvaluationError } from './language/errors.ts'
import { evaluate } from './language/evaluate.ts'
import { EVALUATION_STEPS_MAX } from './language/limits.ts'
import type { Steps } from './language/steps.ts'
import type { Node } from './language/syntax.ts'
import type { Struct } from './language/values.ts'
import { policyFields, type CompiledPolicy } from './policy.ts'

/** Judges policies over the facts of one payload. */
export class PolicyJudge {
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
    const evaluations: PolicyEvaluation[] = []
    const seen = new Set<PolicyOutcome>()
    for (const policy of policies) {
      const outcome = this.outcomeOrError(policy)
      evaluations.push({ policyId: policy.policyId, outcome })
      seen.add(outcome === 'OUTCOME_ERROR' && this.mayDeny(policy) ? 'OUTCOME_DENY_EXPLICIT' : outcome)
    }
    return { outcome: this.outcomeOfAll(seen), evaluations }
  }

  /** What the consensus of those ALLOW policies says that need nothing else to match; none where one denies. */
  openConsensus(policies: readonly CompiledPolicy[]): Node[] {
    if (this.decide(policies).outcome === 'OUTCOME_DENY_EXPLICIT') return []
    const open = policies.flatMap(({ effect, expressions }) => {
      if (effect !== 'EFFECT_ALLOW' || expressions?.consensus === undefined) return []
      const { time, condition, consensus } = expressions
      const isOpen = unlessError(false, () => this.holds('time', time) && this.holds('condition', condition))
      return isOpen ? [consensus] : []
    })
    this.steps.endPart()
    return open
  }

  private outcomeOfAll(seen: ReadonlySet<PolicyOutcome>): Decision['outcome'] {
    if (seen.has('OUTCOME_DENY_EXPLICIT')) return 'OUTCOME_DENY_EXPLICIT'
    if (seen.has('OUTCOME_ALLOW') || this.request.implied === true) return 'OUTCOME_ALLOW'
    return seen.has('OUTCOME_REQUIRES_CONSENSUS') ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
  }

  private outcomeOrError(policy: CompiledPolicy): PolicyOutcome {
    try {
      return this.outcomeOf(policy)
    } catch (error) {
      if (error instanceof EvaluationError) return 'OUTCOME_ERROR'
      throw error
    }
  }

  /** Of a policy that is an error: whether it denies the whole activity, because nothing rules out that it matches. */
  private mayDeny(policy: CompiledPolicy): boolean {
    return policy.effect !== 'EFFECT_ALLOW' && !this.isRuledOut(policy)
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
    this.steps.beginPart(EVALUATION_STEPS_MAX)
    return evaluate(node, this.facts[field], this.steps)
  }

  private mayGetConsensus(node: Node): boolean {
    const { votes, others } = this.request
    this.steps.endPart()
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

export function unlessError<T>(otherwise: T, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof EvaluationError) return otherwise
    throw error
  }
}

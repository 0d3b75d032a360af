/**
 * What a consensus may still become. Votes are only added, so an expression that does not hold now may hold later:
 * every part of it is evaluated over "the votes so far, and any of the votes that others could still give".
 *
 * The rule errs on one side only. If some further votes make the expression hold, `canHold` is true, whatever the
 * expression: it need not be monotone. It may also be true when no votes do, since each clause is looked at for itself
 * (`approvers.count() == 2 && approvers.count() == 3`): such an activity waits in vain, which signs nothing.
 */
import { lookUp, type Locals } from './language/evaluate.ts'
import { compare, contains, fieldOf, itemOf, sliceOf } from './language/operations.ts'
import { compareCounts, orNeither, truthOf, valueOf, type Outcome, type Truth } from './language/outcomes.ts'
import type { Steps } from './language/steps.ts'
import { childrenOf, type Node } from './language/syntax.ts'
import { listOf, type Struct, type Value } from './language/values.ts'

/** `approvers` and `credentials` as the schema has them. */
export interface Votes {
  approvers: readonly Struct[]
  credentials: readonly Struct[]
}

export interface Outlook {
  /** Whether votes of others could make the expression hold. */
  canHold: boolean
  /**
   * Whether one of the voters is somebody whom the expression asks for: an `any`, `all` or `filter` over approvers or
   * credentials can hold for one of theirs, or all votes are counted or indexed as they are.
   */
  votesCount: boolean
}

type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>

/**
 * @param node A checked consensus expression.
 * @param others The votes that could still come.
 * @param voterIds Users whose votes are asked after; they are among `votes`.
 * @throws {EvaluationError}
 */
export function consensusOutlook(
  node: Node,
  votes: Votes,
  others: Votes,
  voterIds: ReadonlySet<string>,
  steps: Steps,
): Outlook {
  const outlook = new OutlookEvaluator(votes, others, voterIds, steps)
  return { canHold: truthOf(outlook.outcome(node, undefined)).canBeTrue, votesCount: outlook.votesCount }
}

class OutlookEvaluator {
  votesCount = false
  private readonly votes: Votes
  private readonly others: Votes
  private readonly voterIds: ReadonlySet<string>
  private readonly steps: Steps
  constructor(votes: Votes, others: Votes, voterIds: ReadonlySet<string>, steps: Steps) {
    this.votes = votes
    this.others = others
    this.voterIds = voterIds
    this.steps = steps
  }

  outcome(node: Node, locals: Locals | undefined): Outcome {
    switch (node.kind) {
      case 'name':
        return this.named(node, locals)
      case 'not': {
        const { canBeTrue, canBeFalse } = truthOf(this.outcome(node.operand, locals))
        return { kind: 'bool', canBeTrue: canBeFalse, canBeFalse: canBeTrue }
      }
      case 'logic':
        return this.logic(node, locals)
      case 'quantifier':
        return this.quantifier(node, locals)
      case 'count':
        return this.count(node, locals)
      default:
        return this.operation(node, locals)
    }
  }

  private named({ name }: NodeOf<'name'>, locals: Locals | undefined): Outcome {
    this.steps.spend(1)
    const local = lookUp(name, locals)
    if (local !== undefined) return { kind: 'value', value: local }
    const list = name as keyof Votes
    return { kind: 'votes', certain: this.votes[list], open: this.others[list], whole: true }
  }

  private logic({ operator, operands }: NodeOf<'logic'>, locals: Locals | undefined): Outcome {
    const truths = operands.map((operand) => truthOf(this.outcome(operand, locals)))
    const every = (is: (truth: Truth) => boolean) => truths.every(is)
    const some = (is: (truth: Truth) => boolean) => truths.some(is)
    const [forTrue, forFalse] = operator === '&&' ? [every, some] : [some, every]
    return {
      kind: 'bool',
      canBeTrue: forTrue(({ canBeTrue }) => canBeTrue),
      canBeFalse: forFalse(({ canBeFalse }) => canBeFalse),
    }
  }

  private quantifier(node: NodeOf<'quantifier'>, locals: Locals | undefined): Outcome {
    const of = this.outcome(node.of, locals)
    if (of.kind === 'unknown') return of
    const { certain, open } = of.kind === 'votes' ? of : { certain: listOf(valueOf(of)), open: [] }
    const judge = (value: Value) => truthOf(this.outcome(node.predicate, { name: node.item, value, outer: locals }))
    const certainly = certain.map((item) => ({ item, truth: judge(item) }))
    if (certainly.some(({ item, truth }) => truth.canBeTrue && this.isAskedAfter(item))) this.votesCount = true
    // Whoever makes the predicate an error had better not vote.
    const maybe = open.map((item) => ({ item, truth: orNeither(() => judge(item)) }))
    const all = [...certainly, ...maybe]
    if (node.method === 'filter') {
      const isCertain = (truth: Truth, i: number) => i < certainly.length && !truth.canBeFalse
      const itemsOf = (is: (truth: Truth, i: number) => boolean) =>
        all.filter(({ truth }, i) => is(truth, i)).map(({ item }) => item)
      return {
        kind: 'votes',
        certain: itemsOf(isCertain),
        open: itemsOf((truth, i) => truth.canBeTrue && !isCertain(truth, i)),
        whole: false,
      }
    }
    if (node.method === 'any') {
      const canBeFalse = certainly.every(({ truth }) => truth.canBeFalse)
      return { kind: 'bool', canBeTrue: all.some(({ truth }) => truth.canBeTrue), canBeFalse }
    }
    const canBeFalse = all.some(({ truth }) => truth.canBeFalse)
    return { kind: 'bool', canBeTrue: certainly.every(({ truth }) => truth.canBeTrue), canBeFalse }
  }

  private count(node: NodeOf<'count'>, locals: Locals | undefined): Outcome {
    const of = this.outcome(node.of, locals)
    if (of.kind === 'unknown') return of
    if (of.kind !== 'votes') return { kind: 'value', value: BigInt(listOf(valueOf(of)).length) }
    this.seeWhole(of)
    const [certain, open] = [BigInt(of.certain.length), BigInt(of.open.length)]
    return { kind: 'count', min: certain, max: certain + open }
  }

  /** Whatever needs the values themselves: known when they are. */
  private operation(node: Node, locals: Locals | undefined): Outcome {
    this.steps.spend(1)
    const parts = childrenOf(node).map((child) => this.outcome(child, locals))
    for (const part of parts) this.seeWhole(part)
    const hasCount = parts.some(({ kind }) => kind === 'count')
    if (node.kind === 'comparison' && node.operator !== 'in' && hasCount) {
      return compareCounts(node.operator, parts as [Outcome, Outcome])
    }
    if (parts.some(({ kind }) => kind !== 'value')) return { kind: 'unknown' }
    return { kind: 'value', value: this.apply(node, parts.map(valueOf)) }
  }

  private apply(node: Node, values: Value[]): Value {
    const [first, second, third] = values as [Value, Value, Value]
    switch (node.kind) {
      case 'literal':
        return node.value
      case 'list':
        return values
      case 'field':
        return fieldOf(first, node.name)
      case 'index':
        return itemOf(first, second)
      case 'slice':
        return sliceOf(first, second, third, this.steps)
      case 'comparison':
        return compare(node.operator, first, second, this.steps)
      case 'contains':
        return contains(first, second, this.steps)
      default:
        throw new Error(`${node.kind} is no operation on values`)
    }
  }

  private seeWhole(outcome: Outcome): void {
    if (outcome.kind === 'votes' && outcome.whole && outcome.certain.length > 0) this.votesCount = true
  }

  /** A user among the approvers, or a credential of one. */
  private isAskedAfter(item: Value): boolean {
    if (!(item instanceof Map)) return false
    return [item.get('id'), item.get('user_id')].some((id) => typeof id === 'string' && this.voterIds.has(id))
  }
}

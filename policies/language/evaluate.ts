/**
 * Evaluates checked expressions. Nothing is skipped: an error in any clause is an error of the whole.
 *
 * A tree becomes functions once, and these are called from then on. As nothing is skipped, it is known beforehand how
 * many nodes are evaluated; their steps are spent at once, those of a predicate for all items at once.
 */
import { isInSpan, SPAN_STEPS } from './cron-span.ts'
import { evaluationErrors } from './errors.ts'
import { comparators, contains, fieldOf, itemOf, sliceOf } from './operations.ts'
import type { Steps } from './steps.ts'
import { childrenOf, type Node } from './syntax.ts'
import { booleanOf, listOf, type Struct, type Value } from './values.ts'

/** Items of the quantifiers around, innermost first. */
export interface Locals {
  name: string
  value: Value
  outer: Locals | undefined
}

type Run = (facts: Struct, steps: Steps, locals: Locals | undefined) => Value
type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>

interface Compiled {
  run: Run
  /** Steps of one evaluation, but for what depends on values. */
  cost: number
}

/** Of expressions and of the clauses in them, which are asked for one by one when a policy errs. */
const compiled = new WeakMap<Node, Compiled>()

/**
 * @param facts What the request has of the keywords; what it lacks is not in it.
 * @throws {EvaluationError}
 */
export function evaluate(node: Node, facts: Struct, steps: Steps): boolean {
  const { run, cost } = compiledOf(node)
  steps.spend(cost)
  return booleanOf(run(facts, steps, undefined))
}

function compiledOf(node: Node): Compiled {
  let known = compiled.get(node)
  if (known === undefined) {
    known = { run: compile(node), cost: costOf(node) }
    compiled.set(node, known)
  }
  return known
}

/** One for each node; a predicate costs for each item. */
function costOf(node: Node): number {
  if (node.kind === 'quantifier') return 1 + costOf(node.of)
  const own = node.kind === 'cron-span' ? 1 + SPAN_STEPS : 1
  return childrenOf(node).reduce((sum, child) => sum + costOf(child), own)
}

function compile(node: Node): Run {
  switch (node.kind) {
    case 'literal': {
      const { value } = node
      return () => value
    }
    case 'cron-span':
      return (facts) => isInSpan(node.span, nowMs(facts))
    case 'list':
      return list(node)
    case 'name':
      return named(node.name)
    case 'field':
      return path(node)
    case 'index':
      return binary(node.of, node.index, itemOf)
    case 'slice':
      return slice(node)
    case 'not': {
      const operand = compile(node.operand)
      return (facts, steps, locals) => !booleanOf(operand(facts, steps, locals))
    }
    case 'logic':
      return logic(node)
    case 'comparison':
      return binary(node.left, node.right, comparators[node.operator])
    case 'quantifier':
      return quantifier(node)
    case 'contains':
      return binary(node.of, node.value, contains)
    case 'count': {
      const of = compile(node.of)
      return (facts, steps, locals) => BigInt(listOf(of(facts, steps, locals)).length)
    }
  }
}

function named(name: string): Run {
  return (facts, _, locals) => (locals === undefined ? undefined : lookUp(name, locals)) ?? fieldOf(facts, name)
}

/** The fields behind a name or an item, in one go. */
function path(node: NodeOf<'field'>): Run {
  const fields: string[] = []
  let root: Node = node
  for (; root.kind === 'field'; root = root.of) fields.unshift(root.name)
  const from = compile(root)
  return (facts, steps, locals) => {
    let value = from(facts, steps, locals)
    for (const field of fields) value = fieldOf(value, field)
    return value
  }
}

function binary(left: Node, right: Node, apply: (a: Value, b: Value, steps: Steps) => Value): Run {
  const [a, b] = [compile(left), compile(right)]
  if (right.kind === 'literal') {
    const { value } = right
    return (facts, steps, locals) => apply(a(facts, steps, locals), value, steps)
  }
  return (facts, steps, locals) => {
    const first = a(facts, steps, locals)
    return apply(first, b(facts, steps, locals), steps)
  }
}

function slice(node: NodeOf<'slice'>): Run {
  const [of, start, end] = [compile(node.of), compile(node.start), compile(node.end)]
  return (facts, steps, locals) => {
    const value = of(facts, steps, locals)
    const from = start(facts, steps, locals)
    return sliceOf(value, from, end(facts, steps, locals), steps)
  }
}

function list({ items }: NodeOf<'list'>): Run {
  // An allowlist is the same whatever the facts are, and nobody changes the values of an expression.
  if (items.every((item) => item.kind === 'literal')) {
    const values = items.map(({ value }) => value)
    return () => values
  }
  const runs = items.map(compile)
  return (facts, steps, locals) => runs.map((run) => run(facts, steps, locals))
}

function logic({ operator, operands }: NodeOf<'logic'>): Run {
  const runs = operands.map((operand) => compiledOf(operand).run)
  const isOr = operator === '||'
  return (facts, steps, locals) => {
    let result = !isOr
    for (const run of runs) if (booleanOf(run(facts, steps, locals)) === isOr) result = isOr
    return result
  }
}

function quantifier({ method, of, item: name, predicate }: NodeOf<'quantifier'>): Run {
  const [items, holds] = [compile(of), compile(predicate)]
  const cost = costOf(predicate)
  return (facts, steps, locals) => {
    const all = listOf(items(facts, steps, locals))
    steps.spend(all.length * cost)
    const kept = all.filter((value) => booleanOf(holds(facts, steps, { name, value, outer: locals })))
    if (method === 'all') return kept.length === all.length
    return method === 'any' ? kept.length > 0 : kept
  }
}

function nowMs(facts: Struct): number {
  const now = fieldOf(fieldOf(facts, 'time'), 'now')
  if (typeof now !== 'number') throw evaluationErrors.wrong_type
  return now
}

export function lookUp(name: string, locals: Locals | undefined): Value | undefined {
  let local = locals
  while (local !== undefined && local.name !== name) local = local.outer
  return local?.value
}

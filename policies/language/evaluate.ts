/** Evaluates checked expressions. Nothing is skipped: an error in any clause is an error of the whole. */
import { isInSpan, SPAN_STEPS } from './cron-span.ts'
import { EvaluationError } from './errors.ts'
import { compare, contains, fieldOf, itemOf, sliceOf } from './operations.ts'
import type { Steps } from './steps.ts'
import type { Node } from './syntax.ts'
import { booleanOf, listOf, type Struct, type Value } from './values.ts'

/** Items of the quantifiers around, innermost first. */
export interface Locals {
  name: string
  value: Value
  outer: Locals | undefined
}

/**
 * @param facts What the request has of the keywords; what it lacks is not in it.
 * @throws {EvaluationError}
 */
export function evaluate(node: Node, facts: Struct, steps: Steps): boolean {
  return booleanOf(new Evaluator(facts, steps).value(node, undefined))
}

export class Evaluator {
  private readonly facts: Struct
  private readonly steps: Steps
  constructor(facts: Struct, steps: Steps) {
    this.facts = facts
    this.steps = steps
  }

  value(node: Node, locals: Locals | undefined): Value {
    this.steps.spend(1)
    switch (node.kind) {
      // The most frequent first: the interpreter in the component compares one after the other.
      case 'name':
        return lookUp(node.name, locals) ?? fieldOf(this.facts, node.name)
      case 'field':
        return fieldOf(this.value(node.of, locals), node.name)
      case 'literal':
        return node.value
      case 'comparison': {
        const left = this.value(node.left, locals)
        return compare(node.operator, left, this.value(node.right, locals), this.steps)
      }
      case 'cron-span':
        this.steps.spend(SPAN_STEPS)
        return isInSpan(node.span, this.nowMs())
      case 'list':
        return node.items.map((item) => this.value(item, locals))
      case 'index':
        return itemOf(this.value(node.of, locals), this.value(node.index, locals))
      case 'slice': {
        const of = this.value(node.of, locals)
        return sliceOf(of, this.value(node.start, locals), this.value(node.end, locals), this.steps)
      }
      case 'not':
        return !booleanOf(this.value(node.operand, locals))
      case 'logic': {
        const values = node.operands.map((operand) => booleanOf(this.value(operand, locals)))
        return node.operator === '&&' ? !values.includes(false) : values.includes(true)
      }
      case 'quantifier':
        return this.quantified(node, locals)
      case 'contains': {
        const of = this.value(node.of, locals)
        return contains(of, this.value(node.value, locals), this.steps)
      }
      case 'count':
        return BigInt(listOf(this.value(node.of, locals)).length)
    }
  }

  private quantified(node: Extract<Node, { kind: 'quantifier' }>, locals: Locals | undefined): Value {
    const items = listOf(this.value(node.of, locals))
    const holds = items.map((value) => {
      const inner = { name: node.item, value, outer: locals }
      return booleanOf(this.value(node.predicate, inner))
    })
    if (node.method === 'all') return !holds.includes(false)
    if (node.method === 'any') return holds.includes(true)
    return items.filter((_, i) => holds[i])
  }

  private nowMs(): number {
    const nowMs = fieldOf(fieldOf(this.facts, 'time'), 'now')
    if (typeof nowMs !== 'number') throw new EvaluationError('wrong_type')
    return nowMs
  }
}

export function lookUp(name: string, locals: Locals | undefined): Value | undefined {
  let local = locals
  while (local !== undefined && local.name !== name) local = local.outer
  return local?.value
}

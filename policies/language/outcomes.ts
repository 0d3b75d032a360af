/** What parts of an expression may be while some votes are still open. */
import { EvaluationError, evaluationErrors } from './errors.ts'
import type { Comparison } from './syntax.ts'
import { booleanOf, integerOf, type Value } from './values.ts'

export type Outcome =
  | { kind: 'value'; value: Value }
  | { kind: 'bool'; canBeTrue: boolean; canBeFalse: boolean }
  | { kind: 'count'; min: bigint; max: bigint }
  /** A list with these items for certain, and any of the others. `whole`: all approvers or all credentials. */
  | { kind: 'votes'; certain: readonly Value[]; open: readonly Value[]; whole: boolean }
  | { kind: 'unknown' }

export interface Truth {
  canBeTrue: boolean
  canBeFalse: boolean
}

export function truthOf(outcome: Outcome): Truth {
  if (outcome.kind === 'bool') return outcome
  if (outcome.kind === 'unknown') return { canBeTrue: true, canBeFalse: true }
  const value = booleanOf(valueOf(outcome))
  return { canBeTrue: value, canBeFalse: !value }
}

/** What errs is neither, unless the limit is reached. */
export function orNeither(judge: () => Truth): Truth {
  try {
    return judge()
  } catch (error) {
    if (error instanceof EvaluationError && error.code !== 'too_many_steps') {
      return { canBeTrue: false, canBeFalse: false }
    }
    throw error
  }
}

/** @throws {EvaluationError} `wrong_type` for what is no single value. */
export function valueOf(outcome: Outcome): Value {
  if (outcome.kind !== 'value') throw evaluationErrors.wrong_type
  return outcome.value
}

export function compareCounts(operator: Exclude<Comparison, 'in'>, [left, right]: [Outcome, Outcome]): Outcome {
  const [a, b] = [rangeOf(left), rangeOf(right)]
  if (a === undefined || b === undefined) return { kind: 'unknown' }
  const canBeEqual = a.min <= b.max && b.min <= a.max
  const mustBeEqual = a.min === a.max && b.min === b.max && a.min === b.min
  const bool = (canBeTrue: boolean, canBeFalse: boolean): Outcome => ({ kind: 'bool', canBeTrue, canBeFalse })
  switch (operator) {
    case '==':
      return bool(canBeEqual, !mustBeEqual)
    case '!=':
      return bool(!mustBeEqual, canBeEqual)
    case '<':
      return bool(a.min < b.max, a.max >= b.min)
    case '>':
      return bool(a.max > b.min, a.min <= b.max)
    case '<=':
      return bool(a.min <= b.max, a.max > b.min)
    case '>=':
      return bool(a.max >= b.min, a.min < b.max)
  }
}

function rangeOf(outcome: Outcome): { min: bigint; max: bigint } | undefined {
  if (outcome.kind === 'count') return outcome
  if (outcome.kind !== 'value') return undefined
  const value = integerOf(outcome.value)
  return { min: value, max: value }
}

/** What operators and accesses do with values. Types were checked before; what a map held is checked here. */
import { evaluationErrors } from './errors.ts'
import type { Steps } from './steps.ts'
import type { Comparison } from './syntax.ts'
import { integerOf, isStruct, listOf, type Value } from './values.ts'

/** Units of a string that one step copies or compares. */
export const UNITS_PER_STEP = 64

/** @throws {EvaluationError} `missing_field` for what the request does not have. */
export function fieldOf(of: Value, name: string): Value {
  if (!isStruct(of)) throw evaluationErrors.wrong_type
  const value = of.get(name)
  if (value === undefined) throw evaluationErrors.missing_field
  return value
}

/** An item of a list, one UTF-16 unit of a string, or what a map holds under a key. */
export function itemOf(of: Value, index: Value): Value {
  if (isStruct(of) && typeof index === 'string') return fieldOf(of, index)
  if (typeof of !== 'string' && !Array.isArray(of)) throw evaluationErrors.wrong_type
  const position = integerOf(index)
  const item = position >= 0n && position < BigInt(of.length) ? of[Number(position)] : undefined
  if (item === undefined) throw evaluationErrors.out_of_range
  return item
}

/** From `start` up to but not including `end`; both must lie in the list or string. */
export function sliceOf(of: Value, start: Value, end: Value, steps: Steps): Value {
  if (typeof of !== 'string' && !Array.isArray(of)) throw evaluationErrors.wrong_type
  const [from, to] = [integerOf(start), integerOf(end)]
  if (from < 0n || from > to || to > BigInt(of.length)) throw evaluationErrors.out_of_range
  const length = Number(to - from)
  steps.spend(typeof of === 'string' ? Math.floor(length / UNITS_PER_STEP) : length)
  return of.slice(Number(from), Number(to))
}

/** Every item is compared, so that the outcome does not depend on their order. */
export function contains(list: Value, value: Value, steps: Steps): boolean {
  const items = listOf(list)
  steps.spend(items.length)
  let isIn = false
  for (const item of items) if (areEqual(item, value, steps)) isIn = true
  return isIn
}

type Comparator = (left: Value, right: Value, steps: Steps) => boolean

export const comparators: Readonly<Record<Comparison, Comparator>> = {
  in: (left, right, steps) => contains(right, left, steps),
  '==': areEqual,
  '!=': (left, right, steps) => !areEqual(left, right, steps),
  '<': (left, right) => order(left, right) < 0,
  '>': (left, right) => order(left, right) > 0,
  '<=': (left, right) => order(left, right) <= 0,
  '>=': (left, right) => order(left, right) >= 0,
}

export function compare(operator: Comparison, left: Value, right: Value, steps: Steps): boolean {
  return comparators[operator](left, right, steps)
}

function areEqual(left: Value, right: Value, steps: Steps): boolean {
  if (typeof left === 'string' && typeof right === 'string') return areSameText(left, right, steps)
  if (typeof left === 'bigint' || typeof right === 'bigint') return integerOf(left) === integerOf(right)
  const isScalar = typeof left === 'boolean' || typeof left === 'number'
  if (!isScalar || typeof left !== typeof right) throw evaluationErrors.wrong_type
  return left === right
}

const HEXADECIMAL = /^0x[0-9a-fA-F]+$/

/** Hexadecimal numbers are the same in either case: facts have small letters, people copy addresses with checksums. */
function areSameText(left: string, right: string, steps: Steps): boolean {
  if (left.length !== right.length) return false
  steps.spend(Math.floor(left.length / UNITS_PER_STEP))
  if (left === right) return true
  if (!left.startsWith('0x') || !right.startsWith('0x')) return false
  return left.toLowerCase() === right.toLowerCase() && HEXADECIMAL.test(left)
}

/** Negative, zero or positive. */
function order(left: Value, right: Value): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [a, b] = [integerOf(left), integerOf(right)]
  return a < b ? -1 : Number(a > b)
}

/** Values that expressions are evaluated over. */
import { evaluationErrors } from './errors.ts'
import { INTEGER_MAX, INTEGER_MIN } from './limits.ts'

/** bigint: an integer; number: a timestamp in milliseconds since the epoch; Map: a struct or a map. */
export type Value = boolean | bigint | string | number | Value[] | Struct
export type Struct = ReadonlyMap<string, Value>

export function isStruct(value: Value): value is Struct {
  return value instanceof Map
}

/** 2^256 has 78 digits. Looked at first, since reading thousands of digits would be work. */
const DECIMAL_LENGTH_MAX = 79

/** @param text Decimal. @returns undefined for what fits neither int nor uint. */
export function readInteger(text: string): bigint | undefined {
  const value = text.length > DECIMAL_LENGTH_MAX ? undefined : BigInt(text)
  return value === undefined || value < INTEGER_MIN || value > INTEGER_MAX ? undefined : value
}

/** No leading zeros, no -0: one text for each number. */
const DECIMAL = /^(?:0|-?[1-9][0-9]*)$/

/**
 * An integer as it is, or the decimal text by which a map holds one.
 * @throws {EvaluationError} `wrong_type`, `out_of_range`.
 */
export function integerOf(value: Value): bigint {
  if (typeof value === 'bigint') return value
  const isDecimal = typeof value === 'string' && value.length <= DECIMAL_LENGTH_MAX && DECIMAL.test(value)
  if (!isDecimal) throw evaluationErrors.wrong_type
  const read = readInteger(value)
  if (read === undefined) throw evaluationErrors.out_of_range
  return read
}

/** @throws {EvaluationError} `wrong_type`. */
export function booleanOf(value: Value): boolean {
  if (typeof value !== 'boolean') throw evaluationErrors.wrong_type
  return value
}

/** @throws {EvaluationError} `wrong_type`. */
export function listOf(value: Value): Value[] {
  if (!Array.isArray(value)) throw evaluationErrors.wrong_type
  return value
}

/**
 * Reads untrusted JSON into typed values, the same way in the gateway and in the component.
 *
 * As the wire asks: null counts as absent and unknown members are ignored. Each fault is recorded with the
 * dotted path of its member; a value may be used only when no fault was recorded.
 */
import { isJsonObject } from './strict-json.ts'

export interface Violation {
  /** Dotted path, for example `privateKeys.0.curve`. */
  field: string
  description: string
}

export interface Schema<T> {
  read(value: unknown, field: string, violations: Violation[]): T
}

export type TypeOf<S> = S extends Schema<infer T> ? T : never
export type Parsed<T> = { ok: true; value: T } | { ok: false; violations: Violation[] }

export function parse<T>(schema: Schema<T>, value: unknown, field = ''): Parsed<T> {
  const violations: Violation[] = []
  const read = schema.read(value, field, violations)
  return violations.length === 0 ? { ok: true, value: read } : { ok: false, violations }
}

/**
 * What a message calls a member: the words of its camelCase name, as the messages of the wire spell them (`hashFunction`
 * is `hash function`). An item of a list goes by the list's name and its place in it, `privateKeyTags.0`.
 */
function wordsOf(field: string): string {
  const [name = '', ...places] = /[^.]*(?:\.[0-9]+)*$/.exec(field)?.[0].split('.') ?? []
  return places.length > 0
    ? [name, ...places].join('.')
    : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Records a fault. What it returns in place of a value is never used: `parse` gives out none after a fault. */
function fail(violations: Violation[], field: string, description: string): never {
  violations.push({ field, description })
  return undefined as never
}

function required<T>(check: (value: {}, field: string, violations: Violation[]) => T): Schema<T> {
  return {
    read(value, field, violations) {
      if (value === undefined || value === null) return fail(violations, field, `${wordsOf(field)} required`)
      return check(value, field, violations)
    },
  }
}

/** A string of at most `lengthMax` UTF-16 units; empty only when `emptyAllowed`. */
export function text(lengthMax: number, { emptyAllowed = false } = {}): Schema<string> {
  return required((value, field, violations) => {
    if (typeof value !== 'string') return fail(violations, field, `${wordsOf(field)} must be a string`)
    if (value === '' && !emptyAllowed) return fail(violations, field, `${wordsOf(field)} required`)
    if (value.length > lengthMax) return fail(violations, field, `${wordsOf(field)} too long`)
    return value
  })
}

/** A string that `pattern` matches as a whole. */
export function pattern(expression: RegExp, what: string): Schema<string> {
  return required((value, field, violations) =>
    typeof value === 'string' && expression.test(value)
      ? value
      : fail(violations, field, `${wordsOf(field)} must be ${what}`),
  )
}

/** @param what How the wire's messages call it, where the member's name does not say it. */
export function oneOf<const T extends string>(values: readonly T[], what?: string): Schema<T> {
  return required((value, field, violations) =>
    values.includes(value as T) ? (value as T) : fail(violations, field, `invalid ${what ?? wordsOf(field)}`),
  )
}

export function integer(min: number, max: number): Schema<number> {
  return required((value, field, violations) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : fail(violations, field, `${wordsOf(field)} must be a whole number from ${min} to ${max}`),
  )
}

export function boolean(): Schema<boolean> {
  return required((value, field, violations) =>
    typeof value === 'boolean' ? value : fail(violations, field, `${wordsOf(field)} must be true or false`),
  )
}

export function list<T>(item: Schema<T>, countMax: number, { countMin = 0 } = {}): Schema<T[]> {
  return required((value, field, violations) => {
    if (!Array.isArray(value)) return fail(violations, field, `${wordsOf(field)} must be an array`)
    if (value.length < countMin) return fail(violations, field, `${wordsOf(field)} required`)
    if (value.length > countMax) return fail(violations, field, `at most ${countMax} ${wordsOf(field)}`)
    return value.map((each, i) => item.read(each, `${field}.${i}`, violations))
  })
}

export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return {
    read: (value, field, violations) =>
      value === undefined || value === null ? undefined : schema.read(value, field, violations),
  }
}

/** For a member that a form does not know: whatever is there is ignored. */
export function always<T>(value: T): Schema<T> {
  return { read: () => value }
}

export function object<F extends Record<string, Schema<unknown>>>(fields: F): Schema<{ [K in keyof F]: TypeOf<F[K]> }> {
  const entries = Object.entries(fields)
  return required((value, field, violations) => {
    if (!isJsonObject(value)) return fail(violations, field, `${wordsOf(field)} must be an object`)
    const prefix = field === '' ? '' : `${field}.`
    const read: Record<string, unknown> = {}
    for (const [name, schema] of entries) {
      read[name] = schema.read(Object.hasOwn(value, name) ? value[name] : undefined, prefix + name, violations)
    }
    return read as { [K in keyof F]: TypeOf<F[K]> }
  })
}

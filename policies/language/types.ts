/** Types of the language. `int` and `uint` are one here: they compare by value, and differ only in what fits. */

export type Type =
  | { kind: 'bool' | 'int' | 'string' | 'timestamp' }
  /** What a map holds: a value whose type is seen when it is evaluated. */
  | { kind: 'dynamic' }
  | { kind: 'list'; item: Type }
  | { kind: 'struct'; name: string; fields: Readonly<Record<string, Type>> }

export type StructType = Extract<Type, { kind: 'struct' }>

export const bool: Type = { kind: 'bool' }
export const int: Type = { kind: 'int' }
export const string: Type = { kind: 'string' }
export const timestamp: Type = { kind: 'timestamp' }
export const dynamic: Type = { kind: 'dynamic' }
export const list = (item: Type): Type => ({ kind: 'list', item })
export const struct = (name: string, fields: Readonly<Record<string, Type>>): StructType => ({
  kind: 'struct',
  name,
  fields,
})

/** As the documentation writes it. */
export function nameOf(type: Type): string {
  if (type.kind === 'list') return `list<${nameOf(type.item)}>`
  return type.kind === 'struct' ? type.name : type.kind
}

/** Whether a value of this type may turn out to be of that kind. */
export function isKind(type: Type, kind: Type['kind']): boolean {
  return type.kind === kind || type.kind === 'dynamic'
}

/** Whether `==` takes the two: both bool, int, string or timestamp. */
export function areEquatable(a: Type, b: Type): boolean {
  const scalar = (type: Type) => type.kind !== 'list' && type.kind !== 'struct'
  // No map holds a timestamp.
  if (a.kind === 'timestamp' || b.kind === 'timestamp') return a.kind === b.kind
  return scalar(a) && scalar(b) && (a.kind === b.kind || a.kind === 'dynamic' || b.kind === 'dynamic')
}

/** Checks of collection specs at open, and of queries against them. Shared by every adapter. */
import type { AnyCollectionSpec } from './store.ts'
import { StoreMisuseError } from './store-errors.ts'

/** Names become part of SQL text, so nothing that could need quoting. `_id` is allowed where a field is. */
const NAME = /^[a-z][A-Za-z0-9]{0,59}$/

/**
 * Refuses specs that an adapter could misread.
 * @throws {StoreMisuseError} on a bad or repeated name, an empty or repeated field list, `_id` anywhere but last.
 */
export function checkSpecs(specs: readonly AnyCollectionSpec[]): void {
  const names = new Set<string>()
  for (const spec of specs) {
    if (!NAME.test(spec.name)) throw new StoreMisuseError(`bad collection name ${JSON.stringify(spec.name)}`)
    // SQL compares names without case.
    if (names.has(spec.name.toLowerCase())) throw new StoreMisuseError(`collection ${spec.name} is declared twice`)
    names.add(spec.name.toLowerCase())
    spec.unique.forEach((fields) => checkFields(spec, fields, 'unique key'))
    spec.indexes.forEach((fields) => checkFields(spec, fields, 'index'))
  }
}

function checkFields(spec: AnyCollectionSpec, fields: readonly string[], what: 'unique key' | 'index'): void {
  const place = `${spec.name}: ${what} (${fields.join(',')})`
  if (fields.length === 0) throw new StoreMisuseError(`${place} is empty`)
  if (new Set(fields).size !== fields.length) throw new StoreMisuseError(`${place} repeats a field`)
  const same = what === 'index' ? spec.indexes : spec.unique
  if (same.filter((other) => other.join() === fields.join()).length > 1) {
    throw new StoreMisuseError(`${place} is declared twice`)
  }
  fields.forEach((field, position) => {
    const isIdSort = what === 'index' && field === '_id' && position === fields.length - 1
    if (field === 'v' || !(NAME.test(field) || isIdSort)) {
      throw new StoreMisuseError(`${place} has the bad field ${JSON.stringify(field)}`)
    }
  })
}

/**
 * Finds whether a query is served by a declared index. An undeclared one might still work on one database, slowly,
 * and not on the next; so it is refused everywhere.
 * @throws {StoreMisuseError} when it is not.
 */
export function checkQueryIsDeclared(spec: AnyCollectionSpec, where: readonly string[], sort: string): void {
  if (where.length === 0 && sort === '_id') return
  const byIndex = [...spec.indexes, ...spec.unique].some(
    (fields) => fields.at(-1) === sort && sameSet(fields.slice(0, -1), where),
  )
  const byUniqueKey = spec.unique.some((fields) => fields.includes(sort) && sameSet(fields, where))
  if (!byIndex && !byUniqueKey) {
    throw new StoreMisuseError(`${spec.name}: no index for where (${where.join(',')}) sort ${sort}`)
  }
}

/** Fields that every document must have: those of unique keys, and those that are sorted by. */
export function requiredFields(spec: AnyCollectionSpec): string[] {
  return [...new Set([...spec.unique.flat(), ...spec.indexes.map((fields) => fields.at(-1) ?? '_id')])]
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((field) => b.includes(field))
}

import type { IndexDescription } from 'mongodb'
import type { AnyCollectionSpec } from '../store.ts'

/** Indexes of a collection. A field that is compared only may be absent; then its document is under `null`. */
export function indexesOf(spec: AnyCollectionSpec): IndexDescription[] {
  const unique = spec.unique.map((fields) => ({ name: uniqueName(fields), key: keyOf(fields), unique: true }))
  // The id last, as it decides between equal sort values. MongoDB reads an index both ways.
  const sorted = spec.indexes.map((fields) => ({
    name: ['sorted', ...fields].join('_'),
    key: keyOf([...new Set([...fields, '_id'])]),
  }))
  return [...unique, ...sorted]
}

/** What a violated key is called in the server's answer. */
export function uniqueName(fields: readonly string[]): string {
  return ['unique', ...fields].join('_')
}

function keyOf(fields: readonly string[]): Map<string, 1> {
  return new Map(fields.map((field) => [field, 1]))
}

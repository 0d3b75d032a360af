/**
 * All SQL of the SQLite adapter but transactions. It is made from the collection specs, whose names are checked, and
 * never from documents or requests: those are only bound as parameters.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { FindPlan } from '../checked-collection.ts'
import type { AnyCollectionSpec } from '../store.ts'

/** Creates what is missing, and drops indexes that are declared no more; documents stay as they are. */
export function createSchema(database: DatabaseSync, specs: readonly AnyCollectionSpec[]): void {
  database.exec('begin immediate')
  for (const spec of specs) {
    database.exec(`create table if not exists "${spec.name}"
      (id text not null primary key, v integer not null, doc text not null) strict`)
    const indexes = indexStatements(spec)
    for (const { name } of existingIndexes(database, spec)) {
      if (!indexes.has(name)) database.exec(`drop index "${name}"`)
    }
    for (const statement of indexes.values()) database.exec(statement)
  }
  database.exec('commit')
}

function existingIndexes(database: DatabaseSync, spec: AnyCollectionSpec): { name: string }[] {
  // The index of a primary key has no SQL text, and is not ours to drop.
  return database
    .prepare(`select name from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null`)
    .all(spec.name) as unknown as { name: string }[]
}

function indexStatements(spec: AnyCollectionSpec): Map<string, string> {
  const unique = spec.unique.map((fields): [string, string] => {
    const name = uniqueIndexName(spec, fields)
    return [name, `create unique index if not exists "${name}" on "${spec.name}" (${fields.map(column).join(', ')})`]
  })
  const sorted = spec.indexes.map((fields): [string, string] => {
    const name = [spec.name, 'sorted', ...fields].join('_')
    // The id last, as it decides between equal sort values.
    const columns = [...new Set([...fields, '_id'])].map(column).join(', ')
    return [name, `create index if not exists "${name}" on "${spec.name}" (${columns})`]
  })
  return new Map([...unique, ...sorted])
}

function uniqueIndexName(spec: AnyCollectionSpec, fields: readonly string[]): string {
  return [spec.name, 'unique', ...fields].join('_')
}

function column(field: string): string {
  return field === '_id' ? 'id' : `json_extract(doc, '$.${field}')`
}

/**
 * Names the unique key that a statement ran into.
 * @param message SQLite's: `UNIQUE constraint failed: index '<name>'`, or `<table>.id` for the primary key.
 */
export function violatedKey(spec: AnyCollectionSpec, message: string): string {
  const fields = spec.unique.find((each) => message.includes(`index '${uniqueIndexName(spec, each)}'`))
  return fields === undefined ? '_id' : fields.join(',')
}

export function insertStatement(spec: AnyCollectionSpec): string {
  return `insert into "${spec.name}" (id, v, doc) values (?, ?, ?)`
}

export function getStatement(spec: AnyCollectionSpec): string {
  return `select doc from "${spec.name}" where id = ?`
}

export function replaceStatement(spec: AnyCollectionSpec): string {
  return `update "${spec.name}" set v = ?, doc = ? where id = ? and v = ?`
}

/** The statement of a plan's shape and, in findParameters, the values that go with it. */
export function findStatement(spec: AnyCollectionSpec, plan: FindPlan): string {
  const [sort, beyond, order] = [column(plan.sort), plan.descending ? '<' : '>', plan.descending ? 'desc' : 'asc']
  const conditions = plan.where.map(([field]) => `${column(field)} = ?`)
  if (plan.after !== undefined) {
    // SQLite bounds an index by the first of these, and by a comparison of pairs not at all.
    conditions.push(`${sort} ${beyond}= ?`, `(${sort}, id) ${beyond} (?, ?)`)
  }
  const filter = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  return `select doc from "${spec.name}" ${filter} order by ${sort} ${order}, id ${order} limit ?`
}

export function findParameters(plan: FindPlan): (string | number)[] {
  const place = plan.after === undefined ? [] : [plan.after.sortValue, plan.after.sortValue, plan.after.id]
  return [...plan.where.map(([, value]) => value), ...place, plan.limit]
}

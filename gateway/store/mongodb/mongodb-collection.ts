/**
 * One collection on MongoDB. A row holds the document's JSON text, so that what comes back is what went in whatever
 * BSON makes of member names and numbers, and beside it the fields that are declared as unique or indexed.
 */
import type { Collection as MongodbCollection, Filter } from 'mongodb'
import type { CheckedDocument } from '../check-document.ts'
import type { CollectionDriver, FindPlan } from '../checked-collection.ts'
import { DuplicateKeyError } from '../store-errors.ts'
import type { AnyCollectionSpec, StoredDocument } from '../store.ts'
import { takenKey } from './mongodb-errors.ts'

export interface Row {
  _id: string
  v: number
  /** No declared field begins like this. */
  _json: string
  [field: string]: string | number
}

/** Runs an access of the rows: waits for their indexes, and turns what goes wrong into an error of the port. */
export type Run = <R>(work: (rows: MongodbCollection<Row>) => Promise<R>) => Promise<R>

const onlyText = { projection: { _id: 0, _json: 1 } }

export function mongodbCollection(spec: AnyCollectionSpec, run: Run): CollectionDriver {
  const fields = [...new Set([...spec.unique, ...spec.indexes].flat())].filter((field) => field !== '_id')

  function rowOf({ document, text }: CheckedDocument): Row {
    const members = document as unknown as Record<string, string | number | undefined>
    const row: Row = { _id: document._id, v: document.v, _json: text }
    for (const field of fields) {
      const value = members[field]
      if (value !== undefined) row[field] = value
    }
    return row
  }

  function write<R>(work: (rows: MongodbCollection<Row>) => Promise<R>): Promise<R> {
    return run(async (rows) => {
      try {
        return await work(rows)
      } catch (error) {
        const key = takenKey(spec, error)
        throw key === undefined ? error : new DuplicateKeyError(spec.name, key)
      }
    })
  }

  return {
    async insert(checked) {
      const row = rowOf(checked)
      await write((rows) => rows.insertOne(row))
    },

    async get(id) {
      const row = await run((rows) => rows.findOne({ _id: id }, onlyText))
      return row === null ? undefined : parse(row)
    },

    async find(plan) {
      const { sort, descending, limit } = plan
      const direction = descending ? -1 : 1
      const order = sort === '_id' ? { _id: direction } : { [sort]: direction, _id: direction }
      const options = { ...onlyText, limit, sort: order as Record<string, 1 | -1> }
      return (await run((rows) => rows.find(filterOf(plan), options).toArray())).map(parse)
    },

    async replace(checked) {
      const row = rowOf(checked)
      const { _id, v } = row
      const { matchedCount } = await write((rows) => rows.replaceOne({ _id, v: v - 1 }, row))
      return matchedCount === 1
    },
  }
}

function parse({ _json }: Pick<Row, '_json'>): StoredDocument {
  return JSON.parse(_json) as StoredDocument
}

/** Values are strings and numbers, field names declared ones: nothing here can be an operator. */
function filterOf({ where, sort, descending, after }: FindPlan): Filter<Row> {
  const conditions: Filter<Row>[] = where.map(([field, value]) => ({ [field]: { $eq: value } }))
  if (after !== undefined) {
    const { sortValue, id } = after
    const beyond = descending ? '$lt' : '$gt'
    // The first bounds the walk through the index, the second decides between equal values.
    conditions.push({ [sort]: { [`${beyond}e`]: sortValue } })
    conditions.push({ $or: [{ [sort]: { [beyond]: sortValue } }, { _id: { [beyond]: id } }] })
  }
  return conditions.length === 0 ? {} : { $and: conditions }
}

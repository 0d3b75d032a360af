/** The half of every collection that is the same on every database: checks, cursors, pages. */
import { documentCheck, isDocumentId, isIndexValue } from './check-document.ts'
import type { CheckedDocument } from './check-document.ts'
import { checkQueryIsDeclared } from './check-specs.ts'
import { decodeCursor, encodeCursor } from './find-cursor.ts'
import type { FindPlace } from './find-cursor.ts'
import { FIND_LIMIT_MAX } from './store.ts'
import type { AnyCollectionSpec, Collection, FindQuery, Page, StoredDocument } from './store.ts'
import { StoreMisuseError } from './store-errors.ts'

/** A find with everything checked: `where` holds strings and numbers only, an index serves it. */
export interface FindPlan {
  readonly where: readonly (readonly [field: string, value: string | number])[]
  readonly sort: string
  readonly descending: boolean
  readonly limit: number
  readonly after: FindPlace | undefined
}

/** The other half: what an adapter does for one collection. It throws DuplicateKeyError and StoreUnavailableError. */
export interface CollectionDriver {
  insert(checked: CheckedDocument): Promise<void>
  get(id: string): Promise<StoredDocument | undefined>
  find(plan: FindPlan): Promise<StoredDocument[]>
  /** Stores the document where `_id` is its own and the stored `v` is one less than its own. */
  replace(checked: CheckedDocument): Promise<boolean>
}

export function checkedCollection<T extends StoredDocument>(
  spec: AnyCollectionSpec,
  driver: CollectionDriver,
): Collection<T> {
  const check = documentCheck(spec)
  return {
    async insert(document) {
      await driver.insert(check(document))
    },

    async get(id) {
      if (typeof id !== 'string') throw new StoreMisuseError(`${spec.name}: an id must be a string`)
      // What cannot be an id is the id of nothing; only the database could make it match something.
      return isDocumentId(id) ? ((await driver.get(id)) as T | undefined) : undefined
    },

    async find(query) {
      const plan = planFind(spec, query)
      if (plan === undefined) return { items: [] }
      // One more than asked for tells whether there is a next page.
      const found = await driver.find({ ...plan, limit: plan.limit + 1 })
      return toPage<T>(found as T[], plan)
    },

    async compareAndSet(document, next) {
      if (next._id !== document._id) throw new StoreMisuseError(`${spec.name}: compareAndSet must keep the _id`)
      return await driver.replace(check({ ...next, v: document.v + 1 }))
    },
  }
}

/** @returns undefined when a value cannot be in any document, so that nothing can match. */
function planFind<T extends StoredDocument>(spec: AnyCollectionSpec, query: FindQuery<T>): FindPlan | undefined {
  const { sort, limit, descending = false, after } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > FIND_LIMIT_MAX) {
    throw new StoreMisuseError(`${spec.name}: limit must be 1 to ${FIND_LIMIT_MAX}`)
  }
  const where = Object.entries(query.where as Record<string, unknown>)
  checkQueryIsDeclared(
    spec,
    where.map(([field]) => field),
    sort,
  )
  const place = after === undefined ? undefined : decodeCursor(sort, descending, after)
  for (const [field, value] of where) {
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new StoreMisuseError(`${spec.name}: ${field} must be compared with a string or a number`)
    }
  }
  if (!where.every(([, value]) => isIndexValue(value))) return undefined
  return { where: where as [string, string | number][], sort, descending, limit, after: place }
}

function toPage<T extends StoredDocument>(found: T[], plan: FindPlan): Page<T> {
  if (found.length <= plan.limit) return { items: found }
  const items = found.slice(0, plan.limit)
  const last = items.at(-1) as T
  const sortValue = (last as unknown as Record<string, string | number>)[plan.sort] as string | number
  return { items, next: encodeCursor(plan.sort, plan.descending, { sortValue, id: last._id }) }
}

/** Writes that may be repeated: after a crash, or by two processes at once. */
import { DuplicateKeyError } from './store-errors.ts'
import { FIND_LIMIT_MAX, type Collection, type FindQuery, type StoredDocument } from './store.ts'

/** @returns false when a document of this id, or with one of its unique keys, is there already. */
export async function insertOnce<T extends StoredDocument>(collection: Collection<T>, document: T): Promise<boolean> {
  try {
    await collection.insert(document)
    return true
  } catch (error) {
    if (error instanceof DuplicateKeyError) return false
    throw error
  }
}

/** Changes a document until nobody has come in between. @param next undefined: it is as it should be. */
export async function change<T extends StoredDocument>(
  collection: Collection<T>,
  id: string,
  next: (stored: T) => T | undefined,
): Promise<void> {
  for (;;) {
    const stored = await collection.get(id)
    if (stored === undefined) throw new Error('a document to change is not there')
    const changed = next(stored)
    if (changed === undefined || (await collection.compareAndSet(stored, changed))) return
  }
}

/** Every document that a query finds, page by page. */
export async function findAll<T extends StoredDocument>(
  collection: Collection<T>,
  query: Pick<FindQuery<T>, 'where' | 'sort'>,
): Promise<T[]> {
  const all: T[] = []
  let after: string | undefined
  do {
    const wanted = { ...query, limit: FIND_LIMIT_MAX }
    const page = await collection.find(after === undefined ? wanted : { ...wanted, after })
    all.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return all
}

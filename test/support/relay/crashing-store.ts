/** A store whose process dies now and then: right before a write, or right after it, before anybody is told. */
import type { Collection, CollectionSpec, StoredDocument } from '../../../gateway/plugin-api.ts'
import type { Store } from '../../../gateway/store/store.ts'

export class Crashed extends Error {
  override name = 'Crashed'
}

/** @param dies Asked before and after each write. */
export function crashing<T extends StoredDocument>(
  store: Store,
  spec: CollectionSpec<T>,
  dies: () => boolean,
): Collection<T> {
  const real = store.collection(spec)
  const around = async <R>(write: () => Promise<R>): Promise<R> => {
    if (dies()) throw new Crashed('before a write')
    const answer = await write()
    if (dies()) throw new Crashed('after a write')
    return answer
  }
  return {
    insert: (document) => around(() => real.insert(document)),
    compareAndSet: (document, next) => around(() => real.compareAndSet(document, next)),
    get: (id) => real.get(id),
    find: (query) => real.find(query),
  }
}

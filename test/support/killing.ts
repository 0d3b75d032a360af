/** A process that kills itself with SIGKILL just after one of its effects, which is also just before the next one. */
import type { RelayerKeys } from '../../gateway/chains/sending/signing.ts'
import type { Collection, Store, StoredDocument } from '../../gateway/store/store.ts'

export interface Killing {
  /** So far. */
  effects(): number
  /** Counts the effect, and dies at it when it is the one. */
  effect<T>(work: () => Promise<T>): Promise<T>
  store(store: Store): Store
  keys(keys: RelayerKeys): RelayerKeys
}

/** Of store, signer and, through `fetch`, chain. @param place Number of the last effect; 0: none. */
export function killingAt(place: number): Killing {
  let effects = 0

  async function effect<T>(work: () => Promise<T>): Promise<T> {
    const isLast = ++effects === place
    try {
      return await work()
    } finally {
      if (isLast) process.kill(process.pid, 'SIGKILL')
    }
  }

  function collectionOf<T extends StoredDocument>(collection: Collection<T>): Collection<T> {
    return {
      get: (id) => collection.get(id),
      find: (query) => collection.find(query),
      insert: (document) => effect(() => collection.insert(document)),
      compareAndSet: (document, next) => effect(() => collection.compareAndSet(document, next)),
    }
  }

  const plainFetch = globalThis.fetch
  globalThis.fetch = ((input: string, options: RequestInit) => {
    const run = () => plainFetch(input, options)
    return (options.body as string).includes('eth_sendRawTransaction') ? effect(run) : run()
  }) as typeof fetch

  return {
    effects: () => effects,
    effect,
    store: (store) => ({
      ready: () => store.ready(),
      close: () => store.close(),
      collection: (spec) => collectionOf(store.collection(spec)),
    }),
    keys: (keys) => ({ ...keys, sign: (...call) => effect(() => keys.sign(...call)) }),
  }
}

/** A process that kills itself with SIGKILL just after one of its effects, which is also just before the next one. */
import type { RelayerKeys } from '../../gateway/chains/sending/signing.ts'
import type { Collection, Store, StoredDocument } from '../../gateway/store/store.ts'

export interface Killing {
  /** So far. */
  effects(): number
  /** Counts the effect, and dies at it when it is the one. */
  effect<T>(work: () => Promise<T>, name?: string): Promise<T>
  store(store: Store): Store
  keys(keys: RelayerKeys): RelayerKeys
}

/** An effect that is met by its name, because what comes before it is not always as much. */
export interface Named {
  /** Collection, and phase of the document where it has one. */
  name: string
  /** Which of this name, from 1. */
  occurrence: number
}

/** Of store, signer and, through `fetch`, chain. @param last Number of the last effect, 0 for none; or its name. */
export function killingAt(last: number | Named): Killing {
  let effects = 0
  let named = 0

  async function effect<T>(work: () => Promise<T>, name = ''): Promise<T> {
    effects++
    if (typeof last === 'object' && last.name === name) named++
    const isLast = typeof last === 'number' ? effects === last : last.name === name && last.occurrence === named
    try {
      return await work()
    } finally {
      if (isLast) process.kill(process.pid, 'SIGKILL')
    }
  }

  function collectionOf<T extends StoredDocument>(collection: Collection<T>, title: string): Collection<T> {
    const nameOf = (document: T) => {
      const { phase } = document as { phase?: unknown }
      return typeof phase === 'string' ? `${title} ${phase}` : title
    }
    return {
      get: (id) => collection.get(id),
      find: (query) => collection.find(query),
      insert: (document) => effect(() => collection.insert(document), nameOf(document)),
      compareAndSet: (document, next) => effect(() => collection.compareAndSet(document, next), nameOf(next)),
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
      collection: (spec) => collectionOf(store.collection(spec), spec.name),
    }),
    keys: (keys) => ({ ...keys, sign: (...call) => effect(() => keys.sign(...call)) }),
  }
}

/**
 * A process that sends and kills itself with SIGKILL just after one of the effects that the engine has on store, signer
 * or chain, which is also just before the next one. Arguments: RPC URL, folder, relayer key, number of the effect (0:
 * none). Prints how many effects there were when it lives to the end.
 */
import type { Collection, Store, StoredDocument } from '../../gateway/store/store.ts'
import { openRig, openSendingStore, requestOf, signerDouble } from './sending.ts'

const [rpcUrl = '', folder = '', relayer = '', place = '0'] = process.argv.slice(2)
let effects = 0

/** Counts the effect, and dies at it when it is the one. */
async function effect<T>(work: () => Promise<T>): Promise<T> {
  const isLast = ++effects === Number(place)
  const result = await work()
  if (isLast) process.kill(process.pid, 'SIGKILL')
  return result
}

function killing(store: Store): Store {
  return {
    ready: () => store.ready(),
    close: () => store.close(),
    collection: (spec) => killingCollection(store.collection(spec)),
  }
}

function killingCollection<T extends StoredDocument>(collection: Collection<T>): Collection<T> {
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

const { keys } = signerDouble(undefined, [relayer])
const rig = await openRig({
  rpcUrls: [rpcUrl],
  store: killing(openSendingStore(folder)),
  folder,
  keys: { ...keys, sign: (...call) => effect(() => keys.sign(...call)) },
  sender: { relayerKeys: [relayer], onChange: () => effect(async () => {}) },
  settings: { finalityDepth: 0 },
})
await rig.sender.send(requestOf(`${relayer} first`))
await rig.sender.look()
await rig.sender.look()
await rig.close()
console.log(effects)

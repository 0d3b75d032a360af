/**
 * The store on MongoDB: a replica set, shared by any number of gateways and workers. What was answered is on a majority
 * of its members and in their journals; what is read has got there as well, so no election takes it back.
 */
import { MongoClient, type CollectionOptions, type Db, type MongoClientOptions } from 'mongodb'
import { checkSpecs } from '../check-specs.ts'
import { checkedCollection } from '../checked-collection.ts'
import { StoreMisuseError, StoreUnavailableError, StoreUrlError } from '../store-errors.ts'
import type { AnyCollectionSpec, Collection, CollectionSpec, Store, StoredDocument } from '../store.ts'
import { RenewingClient } from './mongodb-client.ts'
import { mongodbCollection, type Row } from './mongodb-collection.ts'
import { asUnavailable } from './mongodb-errors.ts'
import { indexesOf } from './mongodb-indexes.ts'

export interface MongodbStoreSettings {
  /** `mongodb://` or `mongodb+srv://`, naming the database. May hold a password, so it is never shown. */
  readonly url: string
  /** All collections: their indexes are created before the first access. */
  readonly collections: readonly AnyCollectionSpec[]
}

/** A caller waits so long for a primary, for a connection and for an answer, and is told then that there is no store. */
const SELECTION_MS = 5_000
const ANSWER_MS = 10_000
/** And not longer in all, whatever the driver tries once more. */
const CALL_MS = SELECTION_MS + ANSWER_MS

const clientOptions: MongoClientOptions = {
  appName: 'keystead',
  serverSelectionTimeoutMS: SELECTION_MS,
  connectTimeoutMS: SELECTION_MS,
  waitQueueTimeoutMS: SELECTION_MS,
  socketTimeoutMS: ANSWER_MS,
  retryWrites: true,
  retryReads: true,
}

/** Stated for each collection, where nothing in the URL can weaken them. */
const collectionOptions: CollectionOptions = {
  // A write that loses a race waits for the majority as well: mongod sets its last operation to the newest it has seen.
  // So whoever is told "taken" or "another version" finds the winner in a majority read.
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: ANSWER_MS },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
}

/**
 * Connects when it is first used, and again whenever the connection was lost; a store that cannot be reached yet makes
 * calls fail and nothing else. Indexes that are declared no more stay: another process may be of an older version.
 * @throws {StoreMisuseError} for a bad spec. @throws {StoreUrlError}
 */
export function openMongodbStore({ url, collections: specs }: MongodbStoreSettings): Store {
  checkSpecs(specs)
  const client = new RenewingClient({ open: () => clientOf(url), callMs: CALL_MS })
  const underWay = new Set<Promise<unknown>>()
  let prepared: Promise<void> | undefined
  let closing: Promise<void> | undefined

  function rowsOf(database: Db, spec: AnyCollectionSpec) {
    return database.collection<Row>(spec.name, collectionOptions)
  }

  async function createIndexes(): Promise<void> {
    for (const spec of specs) {
      const indexes = indexesOf(spec)
      if (indexes.length > 0) await client.run((database) => rowsOf(database, spec).createIndexes(indexes))
    }
  }

  async function prepareAndRun<R>(what: string, work: (database: Db) => Promise<R>): Promise<R> {
    try {
      prepared ??= createIndexes()
      await prepared.catch((error: unknown) => {
        prepared = undefined
        throw error
      })
      return await client.run(work)
    } catch (error) {
      throw asUnavailable(what, error)
    }
  }

  function run<R>(what: string, work: (database: Db) => Promise<R>): Promise<R> {
    if (closing !== undefined) return Promise.reject(new StoreUnavailableError('the store is closed'))
    const running = prepareAndRun(what, work).finally(() => underWay.delete(running))
    underWay.add(running)
    return running
  }

  async function finishAndClose(): Promise<void> {
    await Promise.allSettled(underWay)
    await client.close()
  }

  const collections = new Map<unknown, unknown>(
    specs.map((spec) => {
      const driver = mongodbCollection(spec, (work) => run(spec.name, (database) => work(rowsOf(database, spec))))
      return [spec, checkedCollection(spec, driver)]
    }),
  )

  return {
    collection<T extends StoredDocument>(spec: CollectionSpec<T>) {
      const collection = collections.get(spec)
      if (collection === undefined) throw new StoreMisuseError(`the store was not opened with ${spec.name}`)
      return collection as Collection<T>
    },

    async ready() {
      await run('the database', (database) => database.command({ ping: 1 }, { readPreference: 'primary' }))
    },

    close() {
      closing ??= finishAndClose()
      return closing
    },
  }
}

function clientOf(url: string): MongoClient {
  try {
    return new MongoClient(url, clientOptions)
  } catch {
    // The driver's words may repeat the URL with its password.
    throw new StoreUrlError('KEYSTEAD_MONGODB_URL is no URL that the driver of MongoDB takes')
  }
}

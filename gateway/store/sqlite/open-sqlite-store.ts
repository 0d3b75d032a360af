/** The embedded store: one file, one writing process. Durable when answered: WAL with synchronous = full. */
import { checkSpecs } from '../check-specs.ts'
import { checkedCollection } from '../checked-collection.ts'
import { StoreMisuseError, StoreUnavailableError } from '../store-errors.ts'
import type { AnyCollectionSpec, Collection, CollectionSpec, Store, StoredDocument } from '../store.ts'
import { openDatabaseFile } from './database-file.ts'
import { groupCommit } from './group-commit.ts'
import type { CommitCounts } from './group-commit.ts'
import { sqliteCollection } from './sqlite-collection.ts'
import { createSchema } from './sqlite-schema.ts'

export interface SqliteStoreSettings {
  /** Path of the database file; SQLite keeps a second one beside it, with `-wal` at the end. */
  readonly file: string
  /** All collections: the file is given their tables and indexes at once. */
  readonly collections: readonly AnyCollectionSpec[]
  /** How long to wait for a former process to let go of the file. 5000 unless told. */
  readonly lockWaitMs?: number
  /** Largest size of the file in pages of 4 KiB; for tests of a full disk. */
  readonly pagesMax?: number
}

export interface SqliteStore extends Store {
  /** Since the store was opened; writes per commit tell how well group commit works. */
  readonly counts: Readonly<CommitCounts>
}

/**
 * Opens or creates the store.
 * @throws {StoreMisuseError} for a bad spec.
 * @throws {StoreUnavailableError} when the file is open elsewhere, is no database, or holds documents that break a
 * unique key declared since.
 */
export function openSqliteStore(settings: SqliteStoreSettings): SqliteStore {
  checkSpecs(settings.collections)
  const database = openDatabaseFile(settings.file, settings.lockWaitMs ?? 5000)
  try {
    createSchema(database, settings.collections)
    if (settings.pagesMax !== undefined) database.exec(`pragma max_page_count = ${Math.trunc(settings.pagesMax)}`)
  } catch (error) {
    database.close()
    throw new StoreUnavailableError(`${settings.file} cannot hold the declared collections`, { cause: error })
  }
  const commits = groupCommit(database)
  const collections = new Map(
    settings.collections.map((spec) => [
      spec as unknown,
      checkedCollection(spec, sqliteCollection(spec, database, commits)) as unknown,
    ]),
  )

  return {
    counts: commits.counts,

    collection<T extends StoredDocument>(spec: CollectionSpec<T>) {
      const collection = collections.get(spec)
      if (collection === undefined) throw new StoreMisuseError(`the store was not opened with ${spec.name}`)
      return collection as Collection<T>
    },

    async ready() {
      commits.assertUsable()
      try {
        database.exec('select count(*) from sqlite_schema')
      } catch (error) {
        throw new StoreUnavailableError(`${settings.file} cannot be read`, { cause: error })
      }
    },

    async close() {
      commits.close()
      if (database.isOpen) database.close()
    },
  }
}

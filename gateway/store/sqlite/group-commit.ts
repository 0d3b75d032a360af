/**
 * Group commit: the writes asked for in one turn of the event loop share one transaction, hence one fsync, and are
 * answered after it: several times the throughput of one transaction each (`npm run bench`).
 */
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailableError } from '../store-errors.ts'
import { SQLITE_CORRUPT, SQLITE_IOERR, SQLITE_NOTADB, isSqliteError } from './database-file.ts'

/** Most writes in one transaction; about 10 ms, for that long nothing else runs. */
const BATCH_WRITES_MAX = 512

/** Extended result codes of a taken unique key; https://www.sqlite.org/rescode.html */
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067

export interface CommitCounts {
  /** Transactions committed. */
  commits: number
  /** Writes in them, with those that were refused for a taken key or changed nothing. */
  writes: number
}

export interface GroupCommit {
  readonly counts: Readonly<CommitCounts>
  /**
   * Runs one statement in the next transaction.
   * @param statement Runs exactly one SQL statement: a unique key it violates then undoes that statement alone.
   * @returns what it returned, or rejects with what a violated key threw, once the transaction is durable.
   * @throws {StoreUnavailableError} when the transaction did not commit; then so does every other write in it.
   */
  write<R>(statement: () => R): Promise<R>
  /** Throws when the database may not be used any more. */
  assertUsable(): void
  /** Commits what is waiting and refuses what comes later. */
  close(): void
}

interface Waiting {
  readonly run: () => () => void
  readonly reject: (error: unknown) => void
}

export function groupCommit(database: DatabaseSync): GroupCommit {
  const counts: CommitCounts = { commits: 0, writes: 0 }
  let waiting: Waiting[] = []
  let unusable: StoreUnavailableError | undefined

  function flush(): void {
    const batch = waiting.slice(0, BATCH_WRITES_MAX)
    waiting = waiting.slice(BATCH_WRITES_MAX)
    if (waiting.length > 0) setImmediate(flush)
    if (batch.length > 0) commitBatch(batch)
  }

  function commitBatch(batch: Waiting[]): void {
    let answers: (() => void)[]
    try {
      if (unusable !== undefined) throw unusable
      database.exec('begin immediate')
      answers = batch.map(({ run }) => run())
      database.exec('commit')
    } catch (error) {
      const unavailable = giveUp(error)
      for (const { reject } of batch) reject(unavailable)
      return
    }
    counts.commits += 1
    counts.writes += batch.length
    for (const answer of answers) answer()
  }

  function giveUp(error: unknown): StoreUnavailableError {
    if (error === unusable && unusable !== undefined) return unusable
    const unavailable = new StoreUnavailableError('the transaction did not commit', { cause: error })
    // After a failed fsync the kernel may have dropped the pages it could not write, so a later success would prove
    // nothing. Reopening reads what really is on the disk. A full disk is different: it heals.
    if (isSqliteError(error, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB)) unusable = unavailable
    try {
      if (database.isTransaction) database.exec('rollback')
    } catch {
      unusable = unavailable
    }
    return unavailable
  }

  return {
    counts,

    write<R>(statement: () => R) {
      return new Promise<R>((resolve, reject) => {
        if (unusable !== undefined) throw unusable
        // setImmediate, not a microtask: it runs after all sockets of this turn were read, so that requests that
        // arrived together share a commit.
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ run: () => attempt(statement, resolve, reject), reject })
      })
    },

    assertUsable() {
      if (unusable !== undefined) throw unusable
    },

    close() {
      while (waiting.length > 0) flush()
      unusable ??= new StoreUnavailableError('the store is closed')
    },
  }
}

/** Runs a statement; returns how to answer its caller after the commit. Throws what spoils the whole transaction. */
function attempt<R>(statement: () => R, resolve: (value: R) => void, reject: (error: unknown) => void): () => void {
  try {
    const value = statement()
    return () => resolve(value)
  } catch (error) {
    if (!isTakenKey(error)) throw error
    return () => reject(error)
  }
}

function isTakenKey(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | undefined)?.errcode
  return code === SQLITE_CONSTRAINT_PRIMARYKEY || code === SQLITE_CONSTRAINT_UNIQUE
}

/** The database file: who may read it, and who may write it. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailableError } from '../store-errors.ts'

/** SQLite result codes, https://www.sqlite.org/rescode.html; the low byte of an extended code. */
export const SQLITE_BUSY = 5
export const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
export const SQLITE_NOTADB = 26

/**
 * Opens the file for this process alone. Makes the folder (0700) and the file (0600) when missing; SQLite gives the
 * write-ahead log the mode of its database.
 *
 * One writing process at a time is a limit of this adapter: two would block each other's event loop. `locking_mode =
 * exclusive` enforces it with a lock that the kernel drops when the process ends, however it ends. A lock file with a
 * process id would have to guess after kill -9, wrongly where ids repeat, as in containers. It also spares the shared
 * memory file.
 *
 * @param lockWaitMs How long to wait for a former process to end. Blocks the event loop.
 * @throws {StoreUnavailableError} when another process, or this one, has the file open, or it is no database.
 */
export function openDatabaseFile(file: string, lockWaitMs: number): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  createPrivateFile(file)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: lockWaitMs, defensive: true })
    configure(database)
    return database
  } catch (error) {
    database?.close()
    const reason = isSqliteError(error, SQLITE_BUSY)
      ? 'is open for writing elsewhere; one process at a time may have it'
      : 'cannot be opened as a database'
    throw new StoreUnavailableError(`${file} ${reason}`, { cause: error })
  }
}

function configure(database: DatabaseSync): void {
  // The order matters: exclusive before the first access in WAL mode, and that access takes the lock.
  database.exec('pragma locking_mode = exclusive')
  const journal = database.prepare('pragma journal_mode = wal').get()
  if (journal?.['journal_mode'] !== 'wal') throw new Error('no write-ahead log on this file system')
  // The two fullfsync settings matter on macOS, whose plain fsync leaves data in the drive's cache.
  database.exec('pragma synchronous = full; pragma fullfsync = on; pragma checkpoint_fullfsync = on')
  database.exec('pragma trusted_schema = off; begin immediate; commit')
}

/** Never opens an existing file: closing any descriptor of it would drop the locks this process holds (POSIX). */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    chmodSync(file, 0o600)
  }
}

export function isSqliteError(error: unknown, ...codes: number[]): boolean {
  const code = (error as { errcode?: unknown } | undefined)?.errcode
  return typeof code === 'number' && codes.includes(code & 0xff)
}

/** What the driver throws, in the words of the store port. */
import { MongoError, MongoServerError } from 'mongodb'
import { DuplicateKeyError, StoreMisuseError, StoreUnavailableError } from '../store-errors.ts'
import type { AnyCollectionSpec } from '../store.ts'
import { uniqueName } from './mongodb-indexes.ts'

/** `DuplicateKey` of MongoDB's error_codes.yml. */
const DUPLICATE_KEY = 11_000

/**
 * The unique key that a write ran into.
 * @returns undefined for any other error.
 */
export function takenKey(spec: AnyCollectionSpec, error: unknown): string | undefined {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return undefined
  // The index is named before the values, which may say anything.
  const index = / index: (\S+) dup key/.exec(error.message)?.[1]
  const fields = spec.unique.find((each) => uniqueName(each) === index)
  return fields === undefined ? '_id' : fields.join(',')
}

/**
 * Whatever the database or the way to it did is "cannot be reached": a write that was cut off may have been done, as the
 * port says. Only what is no error of the driver at all is a bug, and stays what it is.
 */
export function asUnavailable(what: string, error: unknown): unknown {
  if (error instanceof DuplicateKeyError || error instanceof StoreMisuseError) return error
  if (error instanceof StoreUnavailableError || !(error instanceof MongoError || isNameUnknown(error))) return error
  return new StoreUnavailableError(`${what} cannot be reached`, { cause: error })
}

/** What Node throws when the hosts of `mongodb+srv` are not found: the driver hands it on as it is. */
function isNameUnknown(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && /^query[A-Z]/.test(String(error.syscall))
}

/** What can go wrong at the store port. Messages name collections and fields, never values. */

/** A unique key is taken. Usual in a race, and the way idempotency is decided. */
export class DuplicateKeyError extends Error {
  override name = 'DuplicateKeyError'
  readonly collection: string
  /** `_id`, or the fields of the unique key joined by commas. Which one, when several are taken, is not said. */
  readonly key: string
  constructor(collection: string, key: string) {
    super(`${collection}: ${key} is taken`)
    this.collection = collection
    this.key = key
  }
}

/**
 * The database cannot be reached or could not commit. A write that was refused so may still be found done later
 * (a commit can fail after its bytes reached the disk): look, or repeat it under the same key.
 */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}

/** A cursor that the store did not make, or made for another sort. It comes from clients, so it is their mistake. */
export class BadCursorError extends Error {
  override name = 'BadCursorError'
  constructor() {
    super('not a cursor of this query')
  }
}

/** A bug in the caller: an undeclared query, a limit out of range, a document that not every database can hold. */
export class StoreMisuseError extends Error {
  override name = 'StoreMisuseError'
}

/** The operator's: what names the database names none that can be. Its message does not repeat it. */
export class StoreUrlError extends StoreMisuseError {
  override name = 'StoreUrlError'
}

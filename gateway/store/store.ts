/**
 * The store port: all that the gateway asks of a database.
 *
 * Small on purpose, so that SQLite and MongoDB map it one to one: no deletes, no multi-document transactions, no
 * partial indexes. Each invariant lives inside one document; everything else is idempotent by a unique key.
 *
 * Documents are plain JSON (rules and limits: check-document.ts). Strings sort by code point, numbers by value.
 */

export interface StoredDocument {
  /** Never changes; 1 to 256 characters. */
  _id: string
  /** Version, a count of replacements: as inserted first, one more after each compareAndSet. */
  v: number
}

/** A member that may be indexed: top-level, and strings only or numbers only, as mixed types sort differently. */
export type IndexField<T extends StoredDocument> = {
  [Field in keyof T & string]-?: [NonNullable<T[Field]>] extends [string]
    ? Field
    : [NonNullable<T[Field]>] extends [number]
      ? Field
      : never
}[keyof T & string]

/** A collection declared as data. Adapters build tables, indexes and query texts from this and nothing else. */
export interface CollectionSpec<T extends StoredDocument> {
  /** camelCase letters and digits; so are the field names. */
  readonly name: string
  /** Each list is one unique key. All its fields must be present in every document: there is no "unique if present". */
  readonly unique: readonly (readonly IndexField<T>[])[]
  /** Each list: fields compared for equality, then the field sorted by, which must be present in every document. */
  readonly indexes: readonly (readonly IndexField<T>[])[]
}

/** A spec of any document type, for lists of specs. */
export interface AnyCollectionSpec {
  readonly name: string
  readonly unique: readonly (readonly string[])[]
  readonly indexes: readonly (readonly string[])[]
}

/**
 * `where` and `sort` together must be a declared index: the index's fields but the last equal those of `where`, its
 * last is `sort`. A unique key counts as an index too, also when `where` names all of its fields. An empty `where`
 * with `sort: '_id'` walks the whole collection.
 */
export interface FindQuery<T extends StoredDocument> {
  readonly where: { readonly [Field in IndexField<T>]?: NonNullable<T[Field]> }
  /** Equal values are ordered by `_id`. */
  readonly sort: IndexField<T>
  readonly descending?: boolean
  /** Documents per page, 1 to FIND_LIMIT_MAX. */
  readonly limit: number
  /** `next` of the page before, for the same `sort` and direction. Opaque; may come from outside. */
  readonly after?: string
}

export interface Page<T> {
  readonly items: T[]
  /** Present when there are more. */
  readonly next?: string
}

export const FIND_LIMIT_MAX = 1000

/** Every method may throw StoreUnavailableError, and StoreMisuseError for what the port does not allow. */
export interface Collection<T extends StoredDocument> {
  /**
   * Stores a new document; it is durable when the promise resolves.
   * @throws {DuplicateKeyError} naming `_id` or the unique key, for instance `organizationId,idempotencyKey`.
   */
  insert(document: T): Promise<void>
  get(id: string): Promise<T | undefined>
  /** @throws {BadCursorError} when `after` is not a cursor for this sort and direction. */
  find(query: FindQuery<T>): Promise<Page<T>>
  /**
   * Replaces the whole document where `_id` and `v` are still those of `document`; the stored `v` becomes
   * `document.v + 1`, whatever `next.v` says.
   * @returns false, with nothing changed, when there is no such document or it has another version by now.
   * @throws {DuplicateKeyError} when `next` would take a unique key of another document.
   */
  compareAndSet(document: T, next: T): Promise<boolean>
}

export interface Store {
  /** Typed view of a collection that the store was opened with; any other spec is a StoreMisuseError. */
  collection<T extends StoredDocument>(spec: CollectionSpec<T>): Collection<T>
  /** A round trip for readiness probes. @throws {StoreUnavailableError} */
  ready(): Promise<void>
  /** Finishes the writes already asked for, then closes. Later calls throw StoreUnavailableError. */
  close(): Promise<void>
}

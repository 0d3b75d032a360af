/** Cursors of `find`: the place after the last document of a page. Opaque to callers, checked when they come back. */
import { isDocumentId, isIndexValue } from './check-document.ts'
import { BadCursorError } from './store-errors.ts'

export interface FindPlace {
  readonly sortValue: string | number
  readonly id: string
}

/** The longest sort value and id, every character escaped, in base64url, take 10,400. */
const CURSOR_LENGTH_MAX = 16_384

export function encodeCursor(sort: string, descending: boolean, place: FindPlace): string {
  return Buffer.from(JSON.stringify([sort, descending, place.sortValue, place.id])).toString('base64url')
}

/**
 * Reads a cursor, which is untrusted: it can only name a place, never widen what the query's `where` shows.
 * @throws {BadCursorError} unless encodeCursor made it for this sort and direction.
 */
export function decodeCursor(sort: string, descending: boolean, cursor: string): FindPlace {
  const fields = parseFields(cursor)
  if (!Array.isArray(fields) || fields.length !== 4) throw new BadCursorError()
  const [cursorSort, cursorDescending, sortValue, id] = fields as unknown[]
  if (cursorSort !== sort || cursorDescending !== descending || !isIndexValue(sortValue) || !isDocumentId(id)) {
    throw new BadCursorError()
  }
  return { sortValue, id }
}

function parseFields(cursor: unknown): unknown {
  if (typeof cursor !== 'string' || cursor.length > CURSOR_LENGTH_MAX) throw new BadCursorError()
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw new BadCursorError()
  }
}

/** The place of a document in a list that is sorted by `_id`, also of one that is not there. */
export function idCursor(id: string, descending: boolean): string {
  return encodeCursor('_id', descending, { sortValue: id, id })
}

/** What a document may hold, so that it comes back from every database as it went in. Shared by every adapter. */
import { requiredFields } from './check-specs.ts'
import type { AnyCollectionSpec, StoredDocument } from './store.ts'
import { StoreMisuseError } from './store-errors.ts'

export const DOCUMENT_ID_LENGTH_MAX = 256
/** MongoDB allows 100 levels. The document itself is the first. */
export const DOCUMENT_DEPTH_MAX = 64
/** In UTF-16 units of its JSON text. MongoDB's limit is 16 MiB of BSON; a unit takes 3 bytes of UTF-8 at most. */
export const DOCUMENT_LENGTH_MAX = 4_194_304
/** Keeps index pages full of entries, and cursors short. */
export const INDEX_VALUE_LENGTH_MAX = 1024

/** A document that passed the checks, and its JSON text as it was when the caller handed it over. */
export interface CheckedDocument {
  readonly document: StoredDocument
  readonly text: string
}

/** MongoDB gives `$` and `.` in top-level names a meaning. */
const TOP_LEVEL_NAME = /^[A-Za-z][A-Za-z0-9_]*$/

/**
 * Makes the check for one collection: plain JSON with well-formed strings and finite numbers, the fields of unique
 * keys and sorts present, indexed values strings or numbers. An undefined member counts as absent.
 * @returns a function that throws StoreMisuseError naming the member to blame.
 */
export function documentCheck(spec: AnyCollectionSpec): (document: StoredDocument) => CheckedDocument {
  const required = requiredFields(spec)
  const indexed = [...new Set([...spec.unique, ...spec.indexes].flat())]

  return (document) => {
    const refuse = (member: string, reason: string): never => {
      throw new StoreMisuseError(`${spec.name}: ${member} ${reason}`)
    }
    checkJson(document, 1, 'document', refuse)
    for (const name of Object.keys(document)) {
      if (name !== '_id' && !TOP_LEVEL_NAME.test(name)) refuse(JSON.stringify(name), 'is not a name for a member')
    }
    if (!isDocumentId(document._id)) refuse('_id', `must be a string of 1 to ${DOCUMENT_ID_LENGTH_MAX}`)
    if (!Number.isSafeInteger(document.v) || document.v < 0) refuse('v', 'must be a whole number')
    const members = document as unknown as Record<string, unknown>
    for (const field of required) {
      if (members[field] === undefined || members[field] === null) refuse(field, 'is unique or sorted by, and absent')
    }
    for (const field of indexed) {
      if (members[field] !== undefined && !isIndexValue(members[field]))
        refuse(field, 'must be a short string or a number')
    }
    const text = JSON.stringify(document)
    if (text.length > DOCUMENT_LENGTH_MAX) refuse('document', `is longer than ${DOCUMENT_LENGTH_MAX}`)
    return { document, text }
  }
}

export function isDocumentId(id: unknown): id is string {
  return isIndexValue(id) && typeof id === 'string' && id !== '' && id.length <= DOCUMENT_ID_LENGTH_MAX
}

/** NUL and lone surrogates are refused: databases cut or replace them, and two values would become one. */
export function isIndexValue(value: unknown): value is string | number {
  if (typeof value === 'string') {
    return value.length <= INDEX_VALUE_LENGTH_MAX && value.isWellFormed() && !value.includes('\0')
  }
  return typeof value === 'number' && Number.isFinite(value)
}

type Refuse = (member: string, reason: string) => never

function checkJson(value: unknown, depth: number, name: string, refuse: Refuse): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) refuse(name, 'holds a lone surrogate')
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(name, 'is not a finite number')
  } else if (typeof value === 'object' && value !== null) {
    if (depth > DOCUMENT_DEPTH_MAX) refuse(name, `is deeper than ${DOCUMENT_DEPTH_MAX} levels`)
    if (Array.isArray(value)) for (const item of value) checkJson(item, depth + 1, name, refuse)
    else checkMembers(value, depth, name, refuse)
  } else if (typeof value !== 'boolean' && value !== null) {
    refuse(name, `is of the type ${typeof value}, which JSON has not`)
  }
}

function checkMembers(value: object, depth: number, name: string, refuse: Refuse): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) refuse(name, 'is not a plain object')
  for (const [member, inner] of Object.entries(value)) {
    if (!member.isWellFormed() || member.includes('\0')) refuse(name, 'has a malformed member name')
    if (inner !== undefined) checkJson(inner, depth + 1, member, refuse)
  }
}

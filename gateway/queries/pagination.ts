import { UUID } from '../../signer-core/protocol/organization-record.ts'
import { object, optional, pattern, type TypeOf } from '../../signer-core/protocol/schema.ts'
import { ApiError } from '../http/errors.ts'

export const paginationLimit = pattern(/^(?:[1-9][0-9]?|100)$/, 'a decimal string from 1 to 100')
const objectId = pattern(UUID, 'an object id')

/** `paginationOptions` of the wire: `limit` 1 to 100, 10 unless told; `before` and `after` are object ids, one at most. */
export const paginationSchema = optional(
  object({
    limit: optional(paginationLimit),
    before: optional(objectId),
    after: optional(objectId),
  }),
)

const LIMIT_DEFAULT = 10

export interface PageWanted {
  limit: number
  /** The object next to which the page lies; absent: the page at the beginning. */
  beside?: string
  /** Towards the beginning of the list, when the page lies before that object. */
  backwards: boolean
}

/** @throws {ApiError} `REQUEST_INVALID` when both are given: a page has one end at which it begins. */
export function pageWanted(options: TypeOf<typeof paginationSchema>): PageWanted {
  const { before, after } = options ?? {}
  if (before !== undefined && after !== undefined) {
    throw ApiError.ofViolations([{ field: 'paginationOptions.before', description: 'before not taken with after' }])
  }
  const limit = Number(options?.limit ?? LIMIT_DEFAULT)
  if (after !== undefined) return { limit, beside: after, backwards: false }
  if (before !== undefined) return { limit, beside: before, backwards: true }
  return { limit, backwards: false }
}

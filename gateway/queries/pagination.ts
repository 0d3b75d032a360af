import { UUID } from '../../signer-core/protocol/organization-record.ts'
import { object, optional, pattern, type TypeOf } from '../../signer-core/protocol/schema.ts'

export const paginationLimit = pattern(/^(?:[1-9][0-9]?|100)$/, 'a number from 1 to 100')
const objectId = pattern(UUID, 'an object id')

/** `paginationOptions` of the wire: `limit` 1 to 100, 10 unless told; `before` and `after` are object ids. */
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

/** `after` wins when both are given. */
export function pageWanted(options: TypeOf<typeof paginationSchema>): PageWanted {
  const limit = Number(options?.limit ?? LIMIT_DEFAULT)
  if (options?.after !== undefined) return { limit, beside: options.after, backwards: false }
  if (options?.before !== undefined) return { limit, beside: options.before, backwards: true }
  return { limit, backwards: false }
}

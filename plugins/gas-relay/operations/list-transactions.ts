import { listSchema } from '../wire/requests.ts'
import { read, shown, type Operation } from './operation.ts'

/** Newest first. */
export const listTransactions: Operation = async (parts, request) => {
  const { limit, cursor } = read(listSchema, request)
  const { items, next } = await parts.transactions.list(request.organizationId, limit, cursor)
  const told = items.filter(({ phase }) => phase !== 'refused')
  const all = await Promise.all(told.map((document) => shown(parts, document)))
  return { transactions: all, next_cursor: next ?? null }
}

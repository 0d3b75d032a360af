import { oneSchema } from '../wire/requests.ts'
import { ownTransaction, read, shown, type Operation } from './operation.ts'

export const getTransaction: Operation = async (parts, request) =>
  shown(parts, await ownTransaction(parts, request, read(oneSchema, request).id))

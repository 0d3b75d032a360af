import { ApiError } from '../../../gateway/plugin-api.ts'
import { submitSchema } from '../wire/submission.ts'
import { read, shown, type Operation } from './operation.ts'

/** The same body again is answered with the same transaction. */
export const submitTransaction: Operation = async (parts, request) => {
  if (request.readsOnly) throw new ApiError('REQUEST_NOT_AUTHORIZED')
  return shown(parts, await parts.submit.submit(request, read(submitSchema, request)))
}

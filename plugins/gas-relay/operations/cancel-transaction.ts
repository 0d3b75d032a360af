import { ApiError } from '../../../gateway/plugin-api.ts'
import { RelayError } from '../reasons.ts'
import { isOver } from '../transactions/transaction.ts'
import { cancelSchema } from '../wire/requests.ts'
import { ownTransaction, read, shown, type Operation } from './operation.ts'

/** What is signed may be mined all the same: then that is its end. */
export const cancelTransaction: Operation = async (parts, request) => {
  if (request.readsOnly) throw new ApiError('REQUEST_NOT_AUTHORIZED')
  const { timestampMs, id } = read(cancelSchema, request)
  parts.host.checkTimestamp(timestampMs)
  for (;;) {
    const found = await ownTransaction(parts, request, id)
    if (found.cancelled !== true) {
      if (isOver(found)) throw new RelayError('relay_not_cancellable')
      if ((await parts.transactions.replace(found, { cancelled: true })) === undefined) continue
    }
    // What is asked for is stored: where the chain is silent, it is done later.
    const carried = await parts.carrier.carryIfPossible(id)
    return shown(parts, carried ?? (await ownTransaction(parts, request, id)))
  }
}

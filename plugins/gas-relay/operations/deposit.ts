import { RelayError } from '../reasons.ts'
import { tankId } from '../tank/tank.ts'
import { presentBalance } from '../wire/present.ts'
import { depositSchema } from '../wire/requests.ts'
import { read, type Operation } from './operation.ts'

/** The operator's. Its reference names a deposit for ever: the same again is the same deposit. */
export const deposit: Operation = async ({ settings, tanks, host }, request) => {
  const { timestampMs, amount, reference, note, caip2 = settings.network } = read(depositSchema, request)
  host.checkTimestamp(timestampMs)
  if (amount > settings.depositMax) throw new RelayError('relay_invalid_request', { field: 'amount' })
  if (caip2 !== settings.network) throw new RelayError('relay_chain_not_supported')
  const { organizationId } = request
  const id = tankId(organizationId, caip2)
  const entry = await tanks.deposit(id, reference, amount, note)
  if (entry === undefined) throw new RelayError('relay_reference_conflict')
  const now = presentBalance(organizationId, caip2, await tanks.read(id), host.nowMs())
  return { entry_id: entry.operation, amount: String(amount), ...now }
}

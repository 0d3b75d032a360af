import { tankId } from '../tank/tank.ts'
import { presentBalance } from '../wire/present.ts'
import { balanceSchema } from '../wire/requests.ts'
import { read, type Operation } from './operation.ts'

export const getBalance: Operation = async ({ settings, tanks, host }, request) => {
  const { organizationId } = request
  const { caip2 = settings.network } = read(balanceSchema, request)
  return presentBalance(organizationId, caip2, await tanks.read(tankId(organizationId, caip2)), host.nowMs())
}

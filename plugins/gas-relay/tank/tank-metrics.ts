/** What the tanks hold, read when Prometheus asks: an operator wants to know before a tank is empty. */
import { Gauge, type Registry } from 'prom-client'
import { findAll, type Collection } from '../../../gateway/plugin-api.ts'
import { balanceOf, tankParts, type TankDocument } from './tank.ts'

export function observeTanks(metrics: Registry, tanks: Collection<TankDocument>): void {
  const amounts = new Gauge({
    name: 'keystead_gas_relay_tank_wei',
    help: 'Tanks by organization: balance, reserved, debited. Exact to 53 bits.',
    labelNames: ['organization', 'network', 'amount'],
    registers: [metrics],
    async collect() {
      for (const tank of await findAll(tanks, { where: {}, sort: '_id' })) {
        const labels = tankParts(tank._id)
        amounts.set({ ...labels, amount: 'balance' }, Number(balanceOf(tank)))
        amounts.set({ ...labels, amount: 'reserved' }, Number(tank.reserved))
        amounts.set({ ...labels, amount: 'debited' }, Number(tank.debited))
      }
    },
  })
}

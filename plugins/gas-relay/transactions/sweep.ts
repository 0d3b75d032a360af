/** Finds what nobody carries any more: a job may be lost, a process may stop between two of its steps. */
import { findAll, type Collection, type Queue } from '../../../gateway/plugin-api.ts'
import type { TankDocument } from '../tank/tank.ts'
import type { Transactions } from './transactions.ts'

export interface SweepParts {
  readonly transactions: Pick<Transactions, 'underWay'>
  readonly tanks: Collection<TankDocument>
  readonly queue: Queue
}

/**
 * Has each row carried that is under way, or has something set aside. Those that are carried anyway are not hurt.
 * @throws {QueueUnavailableError}
 */
export async function sweep({ transactions, tanks, queue }: SweepParts): Promise<void> {
  const underWay = await transactions.underWay()
  const filled = await findAll(tanks, { where: {}, sort: '_id' })
  const reserving = filled.flatMap(({ reservations }) => Object.keys(reservations))
  for (const id of new Set([...underWay.map(({ _id }) => _id), ...reserving])) await queue.add(id)
}

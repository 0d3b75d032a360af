/** Every adapter of the queue port that this machine can run. */
import { randomUUID } from 'node:crypto'
import type { TestFn } from 'ava'
import { pino } from 'pino'
import { BullmqQueues } from '../../gateway/queue/bullmq/bullmq-queues.ts'
import { InProcessQueues } from '../../gateway/queue/in-process/in-process-queues.ts'
import { untilItWorks } from '../support/processes.ts'
import { startRedis, type RedisServer } from '../support/redis-server.ts'
import { haveServers } from '../support/servers.ts'
import type { QueueAdapter } from './queue.ts'

const logger = pino({ level: 'silent' })

export function queueAdapters(test: TestFn): QueueAdapter[] {
  const adapters: QueueAdapter[] = [{ name: 'in process', open: async () => new InProcessQueues(logger) }]
  if (haveServers(test, 'queue contract on BullMQ', 'redis')) adapters.push(bullmq(test))
  return adapters
}

function bullmq(test: TestFn): QueueAdapter {
  let server: RedisServer
  test.before(async () => {
    server = await startRedis()
  })
  test.after.always(() => server.dispose())
  const open = async () => {
    const queues = new BullmqQueues({ url: server.url, prefix: `contract-${randomUUID()}`, handlesJobs: true }, logger)
    await untilItWorks('Redis', () => queues.ready())
    return queues
  }
  return { name: 'bullmq', oneByOne: true, open }
}

import type { Logger } from 'pino'
import { REDIS_PREFIX } from '../redis/prefix.ts'
import { InProcessQueues } from './in-process/in-process-queues.ts'
import type { Queues } from './queue.ts'

export interface QueueChoice {
  redisUrl?: string | undefined
  /** Of queues that are shared; those in memory are handled where they are. */
  handlesJobs?: boolean
}

/** The queues that the settings ask for; BullMQ is loaded where it is used. */
export async function openQueues(
  logger: Logger,
  { redisUrl: url, handlesJobs = true }: QueueChoice = {},
): Promise<Queues> {
  if (url === undefined) return new InProcessQueues(logger)
  const { BullmqQueues } = await import('./bullmq/bullmq-queues.ts')
  return new BullmqQueues({ url, prefix: REDIS_PREFIX, handlesJobs }, logger)
}

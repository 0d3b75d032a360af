import type { Logger } from 'pino'
import { REDIS_PREFIX } from '../redis/redis-connections.ts'
import { BullmqQueues } from './bullmq/bullmq-queues.ts'
import { InProcessQueues } from './in-process/in-process-queues.ts'
import type { Queues } from './queue.ts'

export interface QueueChoice {
  redisUrl?: string | undefined
  /** Of queues that are shared; those in memory are handled where they are. */
  handlesJobs?: boolean
}

/** The queues that the settings ask for. */
export function openQueues(logger: Logger, { redisUrl: url, handlesJobs = true }: QueueChoice = {}): Queues {
  return url === undefined
    ? new InProcessQueues(logger)
    : new BullmqQueues({ url, prefix: REDIS_PREFIX, handlesJobs }, logger)
}

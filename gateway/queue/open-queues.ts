import type { Logger } from 'pino'
import { InProcessQueues } from './in-process/in-process-queues.ts'
import type { Queues } from './queue.ts'

/** The queues that the settings ask for. */
export function openQueues(logger: Logger): Queues {
  return new InProcessQueues(logger)
}

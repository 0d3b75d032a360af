import type { Logger } from 'pino'
import type { JobHandler, Queue, Queues, QueueSpec } from '../queue.ts'
import { InProcessQueue } from './in-process-queue.ts'

/** The queue port in memory: empty at every start, and filled again from the store. */
export class InProcessQueues implements Queues {
  private readonly logger: Logger
  private readonly queues: InProcessQueue[] = []

  constructor(logger: Logger) {
    this.logger = logger
  }

  open(spec: QueueSpec, handler: JobHandler): Queue {
    const queue = new InProcessQueue(spec, handler, this.logger)
    this.queues.push(queue)
    return queue
  }

  async close(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.close()))
  }
}

import type { Logger } from 'pino'
import { QueueUnavailableError, type JobHandler, type Queue, type Queues, type QueueSpec } from '../queue.ts'
import { InProcessQueue } from './in-process-queue.ts'

/** The queue port in memory: empty at every start, and filled again from the store. */
export class InProcessQueues implements Queues {
  readonly handlesJobs = true
  readonly isShared = false
  private readonly logger: Logger
  private readonly queues: InProcessQueue[] = []
  private closed = false

  constructor(logger: Logger) {
    this.logger = logger
  }

  open(spec: QueueSpec, handler: JobHandler): Queue {
    const queue = new InProcessQueue(spec, handler, this.logger)
    this.queues.push(queue)
    return queue
  }

  async ready(): Promise<void> {
    if (this.closed) throw new QueueUnavailableError('the queues are closed')
  }

  async close(): Promise<void> {
    this.closed = true
    await Promise.all(this.queues.map((queue) => queue.close()))
  }
}

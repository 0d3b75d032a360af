/**
 * The queue port on BullMQ: jobs in Redis, shared by all processes. Redis may be emptied, slow or away: then `add` says
 * so, workers go on when it is back, and jobs that are gone are rebuilt from the store.
 */
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { QueueUnavailableError, type JobHandler, type Queue, type Queues, type QueueSpec } from '../queue.ts'
import { BullmqQueue } from './bullmq-queue.ts'
import { isConnected, requestConnection, workerConnection } from '../../redis/redis-connections.ts'

export interface BullmqSettings {
  /** `redis://` or `rediss://`. May hold a password, so it is never shown. */
  readonly url: string
  /** Begins every name in Redis; tests that share one server each have their own. */
  readonly prefix: string
  /** Whether this process works through jobs, or only adds them. */
  readonly handlesJobs: boolean
}

export class BullmqQueues implements Queues {
  readonly handlesJobs: boolean
  readonly isShared = true
  private readonly settings: BullmqSettings
  private readonly logger: Logger
  private readonly adding: Redis
  private readonly working: Redis | undefined
  private readonly queues: BullmqQueue[] = []
  private closing: Promise<void> | undefined

  constructor(settings: BullmqSettings, logger: Logger) {
    this.handlesJobs = settings.handlesJobs
    this.settings = settings
    this.logger = logger
    this.adding = requestConnection(settings.url, logger)
    this.working = settings.handlesJobs ? workerConnection(settings.url, logger) : undefined
  }

  open(spec: QueueSpec, handler: JobHandler): Queue {
    const { adding, working, logger } = this
    const queue = new BullmqQueue(spec, handler, { adding, working, prefix: this.settings.prefix, logger })
    this.queues.push(queue)
    return queue
  }

  async ready(): Promise<void> {
    try {
      if (!(await isConnected(this.adding))) throw new Error('not connected')
      await this.adding.ping()
    } catch (error) {
      throw new QueueUnavailableError('Redis cannot be reached', { cause: error })
    }
  }

  close(): Promise<void> {
    this.closing ??= this.finishAndClose()
    return this.closing
  }

  private async finishAndClose(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.close()))
    this.adding.disconnect()
    this.working?.disconnect()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Queue as BullQueue, Worker, type JobsOptions } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { describeBug } from '../../describe-bug.ts'
import {
  checkDelay,
  pauseMs,
  QueueUnavailableError,
  type JobHandler,
  type JobOutcome,
  type Queue,
  type QueueSpec,
} from '../queue.ts'
import { isConnected } from '../../redis/redis-connections.ts'

/** All that a job holds: the store knows the rest. */
interface JobData {
  id: string
}

/**
 * A worker that died is noticed when its lock has run out and two looks have found it so: after 10 to 20 s. Locks of
 * jobs that run are renewed at half their time.
 */
const LOCK_MS = 10_000
const STALLED_LOOK_MS = 5_000
/** Pause of a worker after Redis was lost. */
const RETRY_RUN_MS = 1_000
/** How long a worker may take to tell Redis of its end; a Redis that is away is not waited for. */
const CLOSE_MS = 2_000
/** BullMQ keeps what has happened for listeners, of which we have none. */
const EVENTS_KEPT = 100

/** Tells BullMQ that a job is to be run again. Redis is told nothing else. */
class NotDone extends Error {
  override name = 'NotDone'
}

export interface BullmqParts {
  adding: Redis
  /** Undefined in a process that only adds. */
  working: Redis | undefined
  prefix: string
  logger: Logger
}

export class BullmqQueue implements Queue {
  private readonly spec: QueueSpec
  private readonly handler: JobHandler
  private readonly parts: BullmqParts
  /** Made once Redis is there: BullMQ asks for its version at once and does not get over it when that fails. */
  private jobs: Promise<BullQueue<JobData>> | undefined
  private readonly worker: Worker<JobData> | undefined
  private readonly running = new Set<Promise<JobOutcome>>()
  private closed = false

  constructor(spec: QueueSpec, handler: JobHandler, parts: BullmqParts) {
    this.spec = spec
    this.handler = handler
    this.parts = parts
    this.worker = parts.working === undefined ? undefined : this.startWorker(parts.working)
  }

  async add(id: string, delayMs = 0): Promise<void> {
    checkDelay(delayMs)
    if (this.closed) throw new QueueUnavailableError('the queue is closed')
    try {
      if (!(await isConnected(this.parts.adding))) throw new Error('not connected')
      const jobs = await (this.jobs ??= this.openJobs())
      await jobs.add(this.spec.name, { id }, { ...this.jobOptions(), jobId: jobIdOf(id), delay: delayMs })
    } catch (error) {
      throw new QueueUnavailableError('Redis cannot be reached', { cause: error })
    }
  }

  async close(): Promise<void> {
    this.closed = true
    const closing = this.worker?.close()
    await Promise.all(this.running)
    // What Redis is not told it finds out: the job's lock runs out, and another worker takes it.
    await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })])
  }

  /** Nothing of it has to be closed: the connection is ours. */
  private async openJobs(): Promise<BullQueue<JobData>> {
    const { adding: connection, prefix } = this.parts
    const jobs = new BullQueue<JobData>(this.spec.name, {
      connection,
      prefix,
      streams: { events: { maxLen: EVENTS_KEPT } },
    })
    jobs.on('error', () => undefined)
    try {
      await jobs.waitUntilReady()
      return jobs
    } catch (error) {
      this.jobs = undefined
      throw error
    }
  }

  /** A job that is done or dropped leaves nothing, so that its id may be used again. */
  private jobOptions(): JobsOptions {
    const attempts = Math.min(this.spec.attemptsMax, Number.MAX_SAFE_INTEGER)
    const backoff = { type: 'pause' }
    return { attempts, backoff, removeOnComplete: true, removeOnFail: true, stackTraceLimit: 0 }
  }

  private startWorker(connection: Redis): Worker<JobData> {
    const { spec } = this
    const { prefix, logger } = this.parts
    const worker = new Worker<JobData>(spec.name, ({ data }) => this.run(data.id), {
      connection,
      prefix,
      concurrency: spec.concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_LOOK_MS,
      // A job is given up for its own attempts, not because machines went down under it.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: RETRY_RUN_MS,
      settings: { backoffStrategy: (attempts) => pauseMs(spec, attempts) },
    })
    // The connection says for itself when it is lost; a job that vanished under its worker is the store's business.
    worker.on('error', () => undefined)
    worker.on('failed', (job) => {
      if (job === undefined || job.attemptsMade < spec.attemptsMax) return
      logger.error({ queue: spec.name, id: job.data.id, attempts: job.attemptsMade }, 'job_dropped')
    })
    return worker
  }

  private async run(id: string): Promise<void> {
    const running = this.outcomeOf(id)
    this.running.add(running)
    try {
      if ((await running) === 'retry') throw new NotDone('to be run again')
    } finally {
      this.running.delete(running)
    }
  }

  private async outcomeOf(id: string): Promise<JobOutcome> {
    try {
      return await this.handler(id)
    } catch (error) {
      this.parts.logger.error({ queue: this.spec.name, id, ...describeBug(error) }, 'job_failed')
      return 'retry'
    }
  }
}

/** Names of jobs may hold no colon and may not be a number. */
function jobIdOf(id: string): string {
  return `id-${encodeURIComponent(id)}`
}

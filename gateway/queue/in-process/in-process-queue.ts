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

/** One queue in memory: ids, how often each has run, and timers. */
export class InProcessQueue implements Queue {
  private readonly spec: QueueSpec
  private readonly handler: JobHandler
  private readonly logger: Logger
  /** Runs so far of every job that waits or runs. */
  private readonly attempts = new Map<string, number>()
  private readonly delayed = new Map<string, NodeJS.Timeout>()
  /** A Set keeps the order of insertion and forgets in constant time. */
  private readonly ready = new Set<string>()
  private readonly running = new Set<Promise<void>>()
  private closed = false

  constructor(spec: QueueSpec, handler: JobHandler, logger: Logger) {
    this.spec = spec
    this.handler = handler
    this.logger = logger
  }

  async add(id: string, delayMs = 0): Promise<void> {
    checkDelay(delayMs)
    if (this.closed) throw new QueueUnavailableError('the queue is closed')
    if (this.attempts.has(id)) return
    this.attempts.set(id, 0)
    this.wait(id, delayMs)
  }

  async close(): Promise<void> {
    this.closed = true
    for (const timer of this.delayed.values()) clearTimeout(timer)
    await Promise.all(this.running)
  }

  private wait(id: string, delayMs: number): void {
    if (delayMs === 0) return this.makeReady(id)
    this.delayed.set(
      id,
      setTimeout(() => this.makeReady(id), delayMs),
    )
  }

  private makeReady(id: string): void {
    this.delayed.delete(id)
    this.ready.add(id)
    this.startReady()
  }

  private startReady(): void {
    for (const id of this.ready) {
      if (this.closed || this.running.size >= this.spec.concurrency) return
      this.ready.delete(id)
      const run = this.run(id).finally(() => {
        this.running.delete(run)
        this.startReady()
      })
      this.running.add(run)
    }
  }

  private async run(id: string): Promise<void> {
    const attempts = (this.attempts.get(id) ?? 0) + 1
    this.attempts.set(id, attempts)
    const outcome = await this.outcomeOf(id)
    if (this.closed) return
    if (outcome === 'retry' && attempts < this.spec.attemptsMax) return this.wait(id, pauseMs(this.spec, attempts))
    this.attempts.delete(id)
    if (outcome === 'retry') this.logger.error({ queue: this.spec.name, id, attempts }, 'job_dropped')
  }

  private async outcomeOf(id: string): Promise<JobOutcome> {
    try {
      return await this.handler(id)
    } catch (error) {
      this.logger.error({ queue: this.spec.name, id, ...describeBug(error) }, 'job_failed')
      return 'retry'
    }
  }
}

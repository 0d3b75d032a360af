/**
 * Activities for whose end somebody waits here: each is attempted, then queued and looked for, until it rests or nobody
 * waits for it any more. From then on it is the queue's, and that of whoever works on it elsewhere.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ActivityDocument } from '../documents.ts'
import { QueueUnavailableError, type Queue } from '../queue/queue.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import type { Attempted, Attempts } from './attempts.ts'
import { withinHold } from './hold.ts'
import { rests } from './phases.ts'
import type { Steps } from './steps.ts'

/** How often the end of an activity on which another process works is looked for. */
const LOOK_FIRST_MS = 25
const LOOK_MAX_MS = 500

export interface RunParts {
  attempts: Attempts
  steps: Steps
  queue: Queue
  /** Whether the queue is. */
  isShared: boolean
  holdMs: number
  logger: Logger
}

interface Run {
  readonly activityId: string
  /** The activity at rest. */
  readonly end: PromiseWithResolvers<ActivityDocument>
  /** Who still waits for it. */
  callers: number
}

export class Runs {
  private readonly parts: RunParts
  private readonly runs = new Map<string, Run>()
  private closing = false

  constructor(parts: RunParts) {
    this.parts = parts
  }

  get count(): number {
    return this.runs.size
  }

  /**
   * The activity at rest, of the run that is under way or of a new one.
   * @returns undefined when it does not rest within the hold. @throws what is a bug.
   */
  async endOf(activityId: string): Promise<ActivityDocument | undefined> {
    const run = this.runs.get(activityId) ?? this.begin(activityId)
    run.callers++
    try {
      return await withinHold(run.end.promise, this.parts.holdMs)
    } finally {
      run.callers--
    }
  }

  /** Tells those who wait for it what a job has come to. */
  resolve(activity: ActivityDocument): void {
    this.runs.get(activity._id)?.end.resolve(activity)
  }

  reject(activityId: string, error: unknown): void {
    this.runs.get(activityId)?.end.reject(error)
  }

  /** Nothing is tried again or looked for from now on. */
  close(): void {
    this.closing = true
  }

  private begin(activityId: string): Run {
    const run: Run = { activityId, end: Promise.withResolvers(), callers: 0 }
    // Callers see a failure through their own await; without callers it must not end the process.
    run.end.promise.catch(() => undefined)
    this.runs.set(activityId, run)
    this.drive(run).catch(run.end.reject)
    return run
  }

  private async drive(run: Run): Promise<void> {
    const { activityId, end } = run
    const { attempts, isShared } = this.parts
    try {
      let attempted = await attempts.attempt(activityId)
      let queued = attempted === 'retry' && (await this.isQueued(activityId))
      for (let pauseMs = LOOK_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, LOOK_MAX_MS)) {
        if (typeof attempted === 'object') return end.resolve(attempted)
        // The job runs here and says when it has come to the end. One that is shared may run elsewhere, or be lost.
        if (queued && !isShared) return void (await end.promise)
        await sleep(pauseMs, undefined, { ref: false })
        if (run.callers === 0 || this.closing) return
        attempted = queued ? await this.look(activityId) : await attempts.attempt(activityId)
        queued ||= attempted === 'retry' && (await this.isQueued(activityId))
      }
    } finally {
      // In one go with the last look at the callers, so that none joins a run that has ended.
      this.runs.delete(activityId)
    }
  }

  /** What the queue cannot take is tried again here while somebody waits, and then the sweeper finds it. */
  private async isQueued(activityId: string): Promise<boolean> {
    try {
      await this.parts.queue.add(activityId)
      return true
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error
      this.parts.logger.warn({ activityId }, 'activity_not_queued')
      return false
    }
  }

  private async look(activityId: string): Promise<Attempted> {
    try {
      const activity = await this.parts.steps.load(activityId)
      return rests(activity.phase) ? activity : 'elsewhere'
    } catch (error) {
      if (error instanceof StoreUnavailableError) return 'elsewhere'
      throw error
    }
  }
}

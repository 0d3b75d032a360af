/** Finds activities that are not at their end and on which nobody works, and queues them: the queue forgets, this does not. */
import type { Logger } from 'pino'
import { activitiesSpec, type ActivityDocument } from '../documents.ts'
import { describeBug } from '../describe-bug.ts'
import { QueueUnavailableError, type Queue } from '../queue/queue.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import { FIND_LIMIT_MAX, type Collection, type Store } from '../store/store.ts'
import { activePhases } from './phases.ts'

/** A process that is killed holds its leases for 10 s; twice as often nothing would be found. */
const SWEEP_MS = 5_000

export interface SweeperOptions {
  queue: Queue
  /** Whether somebody works on it, here or elsewhere. */
  isBeingWorkedOn: (activity: ActivityDocument) => boolean
  /** Records that clients may know the activity as PENDING, before it goes on without its request. */
  markShown: (activity: ActivityDocument) => Promise<ActivityDocument>
  /** Younger ones have their request with them. */
  ageMinMs: number
  /** Most that one sweep looks at, oldest first. */
  countMax: number
  nowMs: () => number
  logger: Logger
}

export class Sweeper {
  private readonly activities: Collection<ActivityDocument>
  private readonly options: SweeperOptions
  private timer: NodeJS.Timeout | undefined
  private sweeping: Promise<void> = Promise.resolve()
  private closed = false

  constructor(store: Store, options: SweeperOptions) {
    this.activities = store.collection(activitiesSpec)
    this.options = options
  }

  /** Sweeps now and from time to time. */
  start(): void {
    this.sweeping = this.sweepOrSay().finally(() => {
      if (!this.closed) this.timer = setTimeout(() => this.start(), SWEEP_MS)
    })
  }

  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.timer)
    await this.sweeping
  }

  /**
   * One sweep.
   * @returns how many were queued. @throws {StoreUnavailableError | QueueUnavailableError}
   */
  async sweep(ageMinMs: number): Promise<number> {
    let queued = 0
    for (const phase of activePhases) {
      let seen = 0
      let after: string | undefined
      do {
        const query = { where: { phase }, sort: 'createdAtMs', limit: FIND_LIMIT_MAX } as const
        const page = await this.activities.find(after === undefined ? query : { ...query, after })
        for (const activity of page.items) queued += await this.queueLeft(activity, ageMinMs)
        seen += page.items.length
        after = page.next
      } while (after !== undefined && seen < this.options.countMax && !this.closed)
    }
    return queued
  }

  private async queueLeft(activity: ActivityDocument, ageMinMs: number): Promise<0 | 1> {
    const { queue, isBeingWorkedOn, markShown, nowMs } = this.options
    // First, and of young ones too: what somebody works on is free so long after it was looked at.
    if (isBeingWorkedOn(activity)) return 0
    // Of the future it is when a clock went wrong, and then it must not wait for it.
    const ageMs = Math.abs(nowMs() - activity.createdAtMs)
    if (ageMs < ageMinMs) return 0
    await markShown(activity)
    await queue.add(activity._id)
    return 1
  }

  private async sweepOrSay(): Promise<void> {
    const { logger, ageMinMs } = this.options
    try {
      const queued = await this.sweep(ageMinMs)
      if (queued > 0) logger.info({ queued }, 'activities_swept')
    } catch (error) {
      const away = error instanceof StoreUnavailableError || error instanceof QueueUnavailableError
      if (away) logger.warn({ reason: error.message }, 'sweep_failed')
      else logger.error(describeBug(error), 'sweep_failed')
    }
  }
}

/**
 * Carries activities to their end: in the request while the caller waits, through the queue afterwards, and what nobody
 * works on after a sweep. Other processes may do so at the same time; the lease says who.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isRefusalCode } from '../../signer-core/protocol/refusals.ts'
import type { ActivityDocument, Lease } from '../documents.ts'
import { describeBug } from '../describe-bug.ts'
import { ApiError } from '../http/errors.ts'
import { QueueUnavailableError, type JobOutcome, type Queue, type Queues, type QueueSpec } from '../queue/queue.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import type { Store } from '../store/store.ts'
import { Attempts, type Attempted } from './attempts.ts'
import type { Decide } from './decide.ts'
import { Leases } from './leases.ts'
import { rests } from './phases.ts'
import type { Steps } from './steps.ts'
import { Sweeper } from './sweeper.ts'

/** Activities that their own request could not carry to the end. */
export const carryActivity: QueueSpec = {
  name: 'carry-activity',
  /** Far below what the launcher lets wait, so that a backlog does not push out new requests. */
  concurrency: 64,
  attemptsMax: Infinity,
  backOff: { firstMs: 50, maxMs: 5_000 },
}

/** How often a caller's request looks for the end of an activity on which another process works. */
const LOOK_FIRST_MS = 25
const LOOK_MAX_MS = 500
/** Beyond the hold every request has gone; a little more, as clocks differ. */
const SWEEP_BEYOND_HOLD_MS = 1_000

export interface CarrierOptions {
  /** How long a caller waits before the answer is PENDING. */
  holdMs: number
  underWayMax: number
  logger: Logger
  /** See LeaseOptions. */
  owner?: string
  nowMs?: () => number
}

/** An activity for which somebody waits here, or which this process has queued for itself. */
interface Run {
  readonly activityId: string
  /** The activity at rest. */
  readonly end: PromiseWithResolvers<ActivityDocument>
  callers: number
}

export class Carrier {
  private readonly steps: Steps
  private readonly queues: Queues
  private readonly queue: Queue
  private readonly leases: Leases
  private readonly attempts: Attempts
  private readonly sweeper: Sweeper
  private readonly options: CarrierOptions
  private readonly runs = new Map<string, Run>()
  private closing = false

  constructor(store: Store, steps: Steps, decide: Decide, queues: Queues, options: CarrierOptions) {
    const { holdMs, underWayMax: countMax, logger, nowMs = Date.now } = options
    this.steps = steps
    this.queues = queues
    this.queue = queues.open(carryActivity, (activityId) => this.carryJob(activityId))
    this.leases = new Leases(store, options)
    this.attempts = new Attempts(steps, decide, this.leases, logger)
    this.options = options
    this.sweeper = new Sweeper(store, {
      queue: this.queue,
      isBeingWorkedOn: (activity) => this.isKnown(activity._id) || this.leases.isElsewhere(activity),
      markShown: (activity) => steps.markShown(activity),
      ageMinMs: holdMs + SWEEP_BEYOND_HOLD_MS,
      countMax,
      nowMs,
      logger,
    })
  }

  /** Of an activity that this process is about to accept. */
  freshLease(): Lease {
    return this.leases.fresh()
  }

  /** @throws {ApiError} `OVERLOADED` instead of accepting what could not be carried. */
  refuseOverload(): void {
    if (this.closing) throw new ApiError('UNAVAILABLE')
    if (this.runs.size >= this.options.underWayMax) throw new ApiError('OVERLOADED')
  }

  /**
   * The activity at its end or waiting for votes, or as it is after the hold. A vote that counts comes back when the
   * activity that it is about has been carried on, too.
   * @throws {ApiError} when the signer refused it at once.
   */
  async carry(activity: ActivityDocument): Promise<ActivityDocument> {
    const known = rests(activity.phase) ? activity : await this.carryOne(activity)
    if (known.targetId !== undefined) await this.withinHold(this.follow(known.targetId))
    return known
  }

  /**
   * Queues everything that a stopped process has left, if no other can be at work: nobody waits for these, but clients
   * may know them. @returns how many.
   */
  recover(): Promise<number> {
    return this.sweeper.sweep(0)
  }

  /** From now on queues what nobody works on; for processes that handle jobs. */
  startSweeping(): void {
    this.sweeper.start()
  }

  /** Waits for the attempts of requests. What is left others carry on, or the next start. */
  async close(): Promise<void> {
    this.closing = true
    await this.sweeper.close()
    await this.attempts.settle()
  }

  private isKnown(activityId: string): boolean {
    return this.runs.has(activityId) || this.attempts.has(activityId)
  }

  private async withinHold<T>(end: Promise<T>): Promise<T | undefined> {
    const { promise: held, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), this.options.holdMs)
    try {
      return await Promise.race([end, held])
    } finally {
      clearTimeout(timer)
    }
  }

  private async carryOne(activity: ActivityDocument): Promise<ActivityDocument> {
    const known = (await this.withinHold(this.endOf(activity._id))) ?? (await this.steps.markShown(activity))
    if (known.phase === 'refused') throw refusalOf(known)
    return known
  }

  /**
   * Carries what was voted on until it rests. A run that is under way may have begun before the vote came in; then
   * another follows. How it went is for those to hear who ask after that activity.
   */
  private async follow(activityId: string): Promise<void> {
    try {
      while (!rests((await this.steps.load(activityId)).phase)) await this.endOf(activityId)
    } catch (error) {
      this.options.logger.warn({ activityId, ...describeBug(error) }, 'target_not_carried')
    }
  }

  /** The activity at rest, of the run that is under way or of a new one. */
  private async endOf(activityId: string): Promise<ActivityDocument> {
    const run = this.runs.get(activityId) ?? this.begin(activityId)
    run.callers++
    try {
      return await run.end.promise
    } finally {
      run.callers--
    }
  }

  private begin(activityId: string): Run {
    const run: Run = { activityId, end: Promise.withResolvers(), callers: 0 }
    // Callers see a failure through their own await; without callers it must not end the process.
    run.end.promise.catch(() => undefined)
    this.runs.set(activityId, run)
    void this.drive(run).then(
      () => this.runs.delete(activityId),
      (error: unknown) => {
        this.runs.delete(activityId)
        run.end.reject(error)
      },
    )
    return run
  }

  /** Until the activity has ended, or is left to others and nobody here waits for it. */
  private async drive(run: Run): Promise<void> {
    const { activityId, end } = run
    let attempted = await this.attempts.attempt(activityId)
    let queued = attempted === 'retry' && (await this.isQueued(activityId))
    for (let pauseMs = LOOK_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, LOOK_MAX_MS)) {
      if (typeof attempted === 'object') return end.resolve(attempted)
      // Our own job says when it has come to the end.
      if (queued && this.queues.handlesJobs) return void (await end.promise)
      await sleep(pauseMs, undefined, { ref: false })
      if (run.callers === 0 || this.closing) return
      attempted = queued ? await this.look(activityId) : await this.attempts.attempt(activityId)
      queued ||= attempted === 'retry' && (await this.isQueued(activityId))
    }
  }

  /** What the queue cannot take the request tries itself, and then the sweeper finds it. */
  private async isQueued(activityId: string): Promise<boolean> {
    try {
      await this.queue.add(activityId)
      return true
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error
      this.options.logger.warn({ activityId }, 'activity_not_queued')
      return false
    }
  }

  private async look(activityId: string): Promise<Attempted> {
    try {
      const activity = await this.steps.load(activityId)
      return rests(activity.phase) ? activity : 'elsewhere'
    } catch (error) {
      if (error instanceof StoreUnavailableError) return 'elsewhere'
      throw error
    }
  }

  private async carryJob(activityId: string): Promise<JobOutcome> {
    try {
      const attempted = await this.attempts.attempt(activityId)
      if (typeof attempted !== 'object') return 'retry'
      this.runs.get(activityId)?.end.resolve(attempted)
      if (attempted.targetId !== undefined) void this.follow(attempted.targetId)
    } catch (error) {
      this.runs.get(activityId)?.end.reject(error)
    }
    return 'done'
  }
}

function refusalOf({ failure, failureField }: ActivityDocument): ApiError {
  if (failure === undefined || !isRefusalCode(failure.code)) return new ApiError('UNAVAILABLE')
  return ApiError.ofRefusal({ ...failure, code: failure.code, field: failureField ?? '' })
}

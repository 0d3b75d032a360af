/**
 * Carries activities to their end: in the request while the caller waits, through the queue afterwards, and what nobody
 * works on after a sweep. Other processes may do so at the same time; the lease says who.
 */
import type { Logger } from 'pino'
import { isRefusalCode } from '../../signer-core/protocol/refusals.ts'
import type { ActivityDocument, Lease } from '../documents.ts'
import { describeBug } from '../describe-bug.ts'
import { ApiError } from '../http/errors.ts'
import type { JobOutcome, Queues, QueueSpec } from '../queue/queue.ts'
import type { Store } from '../store/store.ts'
import { Attempts } from './attempts.ts'
import type { Decide } from './decide.ts'
import { withinHold } from './hold.ts'
import { Leases } from './leases.ts'
import { rests } from './phases.ts'
import { Runs } from './runs.ts'
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

export class Carrier {
  private readonly steps: Steps
  private readonly leases: Leases
  private readonly attempts: Attempts
  private readonly sweeper: Sweeper
  private readonly runs: Runs
  private readonly options: CarrierOptions
  private closing = false

  constructor(store: Store, steps: Steps, decide: Decide, queues: Queues, options: CarrierOptions) {
    const { holdMs, underWayMax: countMax, logger, nowMs = Date.now } = options
    this.steps = steps
    const queue = queues.open(carryActivity, (activityId) => this.carryJob(activityId))
    this.leases = new Leases(store, options)
    this.attempts = new Attempts(steps, decide, this.leases, logger)
    this.runs = new Runs({ attempts: this.attempts, steps, queue, isShared: queues.isShared, holdMs, logger })
    this.options = options
    this.sweeper = new Sweeper(store, {
      queue,
      isBeingWorkedOn: (activity) => this.attempts.has(activity._id) || this.leases.isElsewhere(activity),
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
    if (this.runs.count >= this.options.underWayMax) throw new ApiError('OVERLOADED')
  }

  /**
   * The activity at its end or waiting for votes, or as it is after the hold. A vote that counts comes back when the
   * activity that it is about has been carried on, too.
   * @throws {ApiError} when the signer refused it at once.
   */
  async carry(activity: ActivityDocument): Promise<ActivityDocument> {
    const known = rests(activity.phase) ? activity : await this.carryOne(activity)
    if (known.targetId !== undefined) await withinHold(this.follow(known.targetId), this.options.holdMs)
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
    this.runs.close()
    await this.sweeper.close()
    await this.attempts.settle()
  }

  private async carryOne(activity: ActivityDocument): Promise<ActivityDocument> {
    const known = (await this.runs.endOf(activity._id)) ?? (await this.steps.markShown(activity))
    if (known.phase === 'refused') throw refusalOf(known)
    return known
  }

  /**
   * Carries what was voted on until it rests or the hold is over. A run that is under way may have begun before the vote
   * came in; then another follows. How it went is for those to hear who ask after that activity.
   */
  private async follow(activityId: string): Promise<void> {
    try {
      while (!rests((await this.steps.load(activityId)).phase)) {
        if ((await this.runs.endOf(activityId)) === undefined) return
      }
    } catch (error) {
      this.options.logger.warn({ activityId, ...describeBug(error) }, 'target_not_carried')
    }
  }

  private async carryJob(activityId: string): Promise<JobOutcome> {
    try {
      const attempted = await this.attempts.attempt(activityId)
      if (typeof attempted !== 'object') return 'retry'
      this.runs.resolve(attempted)
      if (attempted.targetId !== undefined) void this.follow(attempted.targetId)
    } catch (error) {
      this.runs.reject(activityId, error)
    }
    return 'done'
  }
}

function refusalOf({ failure, failureField }: ActivityDocument): ApiError {
  if (failure === undefined || !isRefusalCode(failure.code)) return new ApiError('UNAVAILABLE')
  return ApiError.ofRefusal({ ...failure, code: failure.code, field: failureField ?? '' })
}

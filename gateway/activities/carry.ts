/**
 * Carries activities to their end: in the request while the caller waits, through the queue afterwards, and after a
 * restart. One run per activity in this process; a caller that comes later joins it.
 */
import type { Logger } from 'pino'
import { isRefusalCode, type Refusal } from '../../signer-core/protocol/refusals.ts'
import { activitiesSpec, type ActivityDocument } from '../documents.ts'
import { describeBug } from '../describe-bug.ts'
import { ApiError } from '../http/errors.ts'
import { QueueUnavailableError, type JobOutcome, type Queue, type Queues, type QueueSpec } from '../queue/queue.ts'
import { SignerUnavailableError } from '../signer-client/signer-client.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import { FIND_LIMIT_MAX, type Store } from '../store/store.ts'
import type { Decide } from './decide.ts'
import { activePhases, rests } from './phases.ts'
import type { Steps } from './steps.ts'

/** Activities that their own request could not carry to the end. */
export const carryActivity: QueueSpec = {
  name: 'carry-activity',
  /** Far below what the launcher lets wait, so that a backlog does not push out new requests. */
  concurrency: 64,
  attemptsMax: Infinity,
  backOff: { firstMs: 50, maxMs: 5_000 },
}

/** After so many hosts were lost over one activity it is the activity: going on would keep killing hosts. */
const HOSTS_LOST_MAX = 5

export interface CarrierOptions {
  /** How long a caller waits before the answer is PENDING. */
  holdMs: number
  underWayMax: number
  logger: Logger
}

interface Run {
  readonly activityId: string
  /** The activity at rest. */
  readonly end: PromiseWithResolvers<ActivityDocument>
  /** The request's own attempt, if there is one; what follows is the queue's. */
  attempt: Promise<void>
  hostsLost: number
  refusal?: Refusal
}

export class Carrier {
  private readonly store: Store
  private readonly steps: Steps
  private readonly decide: Decide
  private readonly queue: Queue
  private readonly options: CarrierOptions
  private readonly runs = new Map<string, Run>()
  private closing = false

  constructor(store: Store, steps: Steps, decide: Decide, queues: Queues, options: CarrierOptions) {
    this.store = store
    this.steps = steps
    this.decide = decide
    this.queue = queues.open(carryActivity, (activityId) => this.carryJob(activityId))
    this.options = options
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

  /** Queues what a stopped process has left. Nobody waits for these, but clients may know them. */
  async recover(): Promise<number> {
    let count = 0
    for (const phase of activePhases) {
      let after: string | undefined
      do {
        const query = { where: { phase }, sort: 'createdAtMs', limit: FIND_LIMIT_MAX } as const
        const page = await this.store.collection(activitiesSpec).find(after === undefined ? query : { ...query, after })
        await Promise.all(page.items.map((activity) => this.steps.markShown(activity)))
        for (const { _id } of page.items) {
          this.runOf(_id)
          await this.queue.add(_id)
        }
        count += page.items.length
        after = page.next
      } while (after !== undefined)
    }
    return count
  }

  /** Waits for the attempts of requests. What is left is recovered at the next start. */
  async close(): Promise<void> {
    this.closing = true
    await Promise.all([...this.runs.values()].map((run) => run.attempt))
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
    const run = this.runs.get(activity._id) ?? this.begin(activity._id)
    const known = (await this.withinHold(run.end.promise)) ?? (await this.steps.markShown(activity))
    if (known.phase === 'refused') throw refusalOf(run, known)
    return known
  }

  /**
   * Carries what was voted on until it rests. A run that is under way may have begun before the vote came in; then
   * another follows. How it went is for those to hear who ask after that activity.
   */
  private async follow(activityId: string): Promise<void> {
    try {
      while (!rests((await this.steps.load(activityId)).phase)) {
        await (this.runs.get(activityId) ?? this.begin(activityId)).end.promise
      }
    } catch (error) {
      this.options.logger.warn({ activityId, ...describeBug(error) }, 'target_not_carried')
    }
  }

  private runOf(activityId: string): Run {
    const known = this.runs.get(activityId)
    if (known !== undefined) return known
    const run: Run = { activityId, end: Promise.withResolvers(), attempt: Promise.resolve(), hostsLost: 0 }
    // Callers see a failure through their own await; without callers it must not end the process.
    run.end.promise.catch(() => undefined)
    this.runs.set(activityId, run)
    return run
  }

  private begin(activityId: string): Run {
    const run = this.runOf(activityId)
    run.attempt = this.attemptOrQueue(run)
    return run
  }

  private async attemptOrQueue(run: Run): Promise<void> {
    if ((await this.attempt(run)) === 'done') return
    try {
      await this.queue.add(run.activityId, carryActivity.backOff.firstMs)
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error
      // Nobody works on it until an identical request begins anew, or the next start.
      this.runs.delete(run.activityId)
      this.options.logger.warn({ activityId: run.activityId }, 'activity_not_queued')
    }
  }

  private carryJob(activityId: string): Promise<JobOutcome> {
    return this.attempt(this.runOf(activityId))
  }

  /** Takes the activity as far as it will go. `retry`: signer or store could not be reached, or gave no answer. */
  private async attempt(run: Run): Promise<JobOutcome> {
    const { activityId, end } = run
    try {
      // What a caller has read may be of the past; the store is the truth.
      let activity = await this.steps.load(activityId)
      while (!rests(activity.phase)) activity = await this.step(run, activity)
      this.runs.delete(activityId)
      end.resolve(activity)
      if (activity.targetId !== undefined) void this.follow(activity.targetId)
    } catch (error) {
      if (error instanceof SignerUnavailableError || error instanceof StoreUnavailableError) {
        if (error instanceof SignerUnavailableError && error.blamesCall) run.hostsLost++
        this.options.logger.warn({ activityId, reason: error.message }, 'activity_waits')
        return 'retry'
      }
      this.runs.delete(activityId)
      end.reject(error)
      this.options.logger.error({ activityId, ...describeBug(error) }, 'activity_stuck')
    }
    return 'done'
  }

  private async step(run: Run, activity: ActivityDocument): Promise<ActivityDocument> {
    if (activity.phase === 'executed') return this.steps.writeRecords(activity)
    if (run.hostsLost >= HOSTS_LOST_MAX) return this.steps.giveUp(activity)
    const decision = await this.decide.decide(activity)
    if (decision.ok === 'moved') return this.steps.load(activity._id)
    if (!decision.ok) run.refusal = decision.refusal
    return this.steps.settle(activity, decision)
  }
}

/** The signer's words when this run has heard them, else what was stored of them. */
function refusalOf({ refusal }: Run, { failure }: ActivityDocument): ApiError {
  if (refusal !== undefined) return ApiError.ofRefusal(refusal)
  if (failure === undefined || !isRefusalCode(failure.code)) return new ApiError('UNAVAILABLE')
  return ApiError.ofRefusal({ ...failure, code: failure.code, field: '' })
}

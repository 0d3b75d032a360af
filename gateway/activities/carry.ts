/**
 * Carries activities to their end: in the request while the caller waits, in the background afterwards, and after a
 * restart. One run per activity in this process; a caller that comes later joins it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isRefusalCode, type Refusal } from '../../signer-core/protocol/refusals.ts'
import { activitiesSpec, type ActivityDocument } from '../documents.ts'
import { describeBug } from '../describe-bug.ts'
import { ApiError } from '../http/errors.ts'
import { SignerUnavailableError } from '../signer-client/signer-client.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import { FIND_LIMIT_MAX, type Store } from '../store/store.ts'
import { isFinal } from './phases.ts'
import type { Steps } from './steps.ts'

const RETRY_FIRST_MS = 50
const RETRY_MAX_MS = 5_000
/** After so many hosts were lost over one activity it is the activity: going on would keep killing hosts. */
const HOSTS_LOST_MAX = 5

export interface CarrierOptions {
  /** How long a caller waits before the answer is PENDING. */
  holdMs: number
  underWayMax: number
  logger: Logger
}

interface Run {
  /** The activity in a final phase. */
  end: Promise<ActivityDocument>
  /** What is known of it meanwhile. */
  latest: ActivityDocument
  /** Some client has been, or may have been, told of it as PENDING. */
  shown: boolean
  refusal?: Refusal
  /** The decision is being stored: too late to answer PENDING. */
  settling: boolean
}

export class Carrier {
  private readonly store: Store
  private readonly steps: Steps
  private readonly options: CarrierOptions
  private readonly runs = new Map<string, Run>()
  private readonly closing = new AbortController()

  constructor(store: Store, steps: Steps, options: CarrierOptions) {
    this.store = store
    this.steps = steps
    this.options = options
  }

  /** @throws {ApiError} `OVERLOADED` instead of accepting what could not be carried. */
  refuseOverload(): void {
    if (this.closing.signal.aborted) throw new ApiError('UNAVAILABLE')
    if (this.runs.size >= this.options.underWayMax) throw new ApiError('OVERLOADED')
  }

  /**
   * The activity at its end, or as it is after the hold.
   * @throws {ApiError} when the signer refused it at once.
   */
  async carry(activity: ActivityDocument): Promise<ActivityDocument> {
    if (isFinal(activity.phase)) return activity
    const run = this.runOf(activity, false)
    if (!(await this.endsWithinHold(run)) && !run.settling) {
      run.shown = true
      return run.latest
    }
    const ended = await run.end
    if (ended.phase !== 'refused') return ended
    throw refusalOf(run, ended)
  }

  /** Takes up what a stopped process has left. Nobody waits for these, but clients may know them. */
  async recover(): Promise<number> {
    let count = 0
    for (const phase of ['accepted', 'executed'] as const) {
      let after: string | undefined
      do {
        const query = { where: { phase }, sort: 'createdAtMs', limit: FIND_LIMIT_MAX } as const
        const page = await this.store.collection(activitiesSpec).find(after === undefined ? query : { ...query, after })
        for (const activity of page.items) this.runOf(activity, true)
        count += page.items.length
        after = page.next
      } while (after !== undefined)
    }
    return count
  }

  /** Stops retrying and waits for the steps that are being taken. What is left is recovered at the next start. */
  async close(): Promise<void> {
    this.closing.abort()
    await Promise.allSettled([...this.runs.values()].map((run) => run.end))
  }

  private async endsWithinHold(run: Run): Promise<boolean> {
    const { promise: held, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), this.options.holdMs)
    try {
      return await Promise.race([run.end.then(() => true), held])
    } finally {
      clearTimeout(timer)
    }
  }

  private runOf(activity: ActivityDocument, shown: boolean): Run {
    const known = this.runs.get(activity._id)
    if (known !== undefined) return known
    const run: Run = { end: Promise.resolve(activity), latest: activity, shown, settling: false }
    this.runs.set(activity._id, run)
    run.end = this.run(run).finally(() => this.runs.delete(activity._id))
    // Callers see the failure through their own await; without callers it must not end the process.
    run.end.catch((error: unknown) => this.logFailure(activity, error))
    return run
  }

  private async run(run: Run): Promise<ActivityDocument> {
    let stale = true
    let hostsLost = 0
    for (let retryMs = RETRY_FIRST_MS; !isFinal(run.latest.phase); retryMs = Math.min(2 * retryMs, RETRY_MAX_MS)) {
      try {
        // Read before another run ended, it may be of the past; a run ends only after its end is stored.
        if (stale) run.latest = await this.steps.reload(run.latest)
        stale = false
        if (hostsLost >= HOSTS_LOST_MAX) run.latest = await this.steps.giveUp(run.latest)
        while (!isFinal(run.latest.phase)) run.latest = await this.step(run)
      } catch (error) {
        run.settling = false
        if (!(error instanceof SignerUnavailableError || error instanceof StoreUnavailableError)) throw error
        if (error instanceof SignerUnavailableError && error.blamesCall) hostsLost++
        this.options.logger.warn({ activityId: run.latest._id, reason: error.message, retryMs }, 'activity_waits')
        await sleep(retryMs, undefined, { signal: this.closing.signal })
      }
    }
    return run.latest
  }

  private async step(run: Run): Promise<ActivityDocument> {
    const activity = run.latest
    if (activity.phase === 'executed') return this.steps.writeRecords(activity)
    const answer = await this.steps.perform(activity)
    run.settling = true
    if (answer.ok) return this.steps.fixOutcome(activity, answer.value)
    run.refusal = answer.refusal
    return this.steps.refuse(activity, answer.refusal, run.shown)
  }

  private logFailure({ _id }: ActivityDocument, error: unknown): void {
    if (this.closing.signal.aborted) return
    this.options.logger.error({ activityId: _id, ...describeBug(error) }, 'activity_stuck')
  }
}

/** The signer's words when this run has heard them, else what was stored of them. */
function refusalOf({ refusal }: Run, { failure }: ActivityDocument): ApiError {
  if (refusal !== undefined) return ApiError.ofRefusal(refusal)
  if (failure === undefined || !isRefusalCode(failure.code)) return new ApiError('UNAVAILABLE')
  return ApiError.ofRefusal({ code: failure.code, message: failure.message, field: '' })
}

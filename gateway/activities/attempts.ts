/** Attempts to take activities to their end, one at a time for each: whoever comes later joins it. */
import type { Logger } from 'pino'
import type { ActivityDocument } from '../documents.ts'
import { describeBug } from '../describe-bug.ts'
import { SignerUnavailableError } from '../signer-client/signer-client.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import type { Decide } from './decide.ts'
import type { Leases } from './leases.ts'
import { rests } from './phases.ts'
import type { Steps } from './steps.ts'

/**
 * The activity at rest; `retry`: signer or store could not be reached, or gave no answer; `elsewhere`: another
 * process works on it.
 */
export type Attempted = ActivityDocument | 'retry' | 'elsewhere'

/** After so many hosts were lost over one activity it is the activity: going on would keep killing hosts. */
const HOSTS_LOST_MAX = 5

export class Attempts {
  private readonly steps: Steps
  private readonly decide: Decide
  private readonly leases: Leases
  private readonly logger: Logger
  private readonly underWay = new Map<string, Promise<Attempted>>()

  constructor(steps: Steps, decide: Decide, leases: Leases, logger: Logger) {
    this.steps = steps
    this.decide = decide
    this.leases = leases
    this.logger = logger
  }

  has(activityId: string): boolean {
    return this.underWay.has(activityId)
  }

  /** @throws what is a bug, once it is logged. */
  attempt(activityId: string): Promise<Attempted> {
    const known = this.underWay.get(activityId)
    if (known !== undefined) return known
    const attempt = this.run(activityId).finally(() => this.underWay.delete(activityId))
    this.underWay.set(activityId, attempt)
    return attempt
  }

  /** Waits for those that are under way. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.underWay.values())
  }

  private async run(activityId: string): Promise<Attempted> {
    try {
      // What a caller has read may be of the past; the store is the truth.
      const activity = await this.leases.take(activityId)
      if (activity === undefined) return 'elsewhere'
      return rests(activity.phase) ? activity : await this.takeToRest(activity)
    } catch (error) {
      if (error instanceof SignerUnavailableError || error instanceof StoreUnavailableError) {
        this.logger.warn({ activityId, reason: error.message }, 'activity_waits')
        await this.leases.release(activityId, error instanceof SignerUnavailableError && error.blamesCall)
        return 'retry'
      }
      this.logger.error({ activityId, ...describeBug(error) }, 'activity_stuck')
      throw error
    }
  }

  private async takeToRest(accepted: ActivityDocument): Promise<ActivityDocument> {
    const letGo = this.leases.keep(accepted._id)
    try {
      let activity = accepted
      while (!rests(activity.phase)) activity = await this.step(activity)
      return activity
    } finally {
      letGo()
    }
  }

  private async step(activity: ActivityDocument): Promise<ActivityDocument> {
    if (activity.phase === 'executed') return this.steps.writeRecords(activity)
    if ((activity.hostsLost ?? 0) >= HOSTS_LOST_MAX) return this.steps.giveUp(activity)
    const decision = await this.decide.decide(activity)
    return decision.ok === 'moved' ? this.steps.load(activity._id) : this.steps.settle(activity, decision)
  }
}

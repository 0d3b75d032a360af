/**
 * Leases: of all processes that know an activity, one takes its next step. A lease ends when nobody renews it, and each
 * process measures that for itself from when it first saw it, so that clocks may differ by hours. A process that stood
 * still so long does a step twice at worst: each ends in one compare-and-set anyway.
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { describeBug } from '../describe-bug.ts'
import { activitiesSpec, type ActivityDocument, type Lease } from '../documents.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import type { Collection, Store } from '../store/store.ts'
import { LeaseSightings } from './lease-sightings.ts'
import { rests } from './phases.ts'

/** What a process that was killed leaves is free so long after others saw it. While a step goes on its lease is renewed. */
export const LEASE_MS = 10_000
const RENEW_MS = LEASE_MS / 3

export interface LeaseOptions {
  /** Who holds the leases of this process. One that alone can have the store may give the same name at each start. */
  owner?: string
  nowMs?: () => number
  /** Never jumps, unlike the time of day. */
  steadyMs?: () => number
  logger: Logger
}

export class Leases {
  private readonly activities: Collection<ActivityDocument>
  private readonly owner: string
  private readonly nowMs: () => number
  private readonly sightings: LeaseSightings
  private readonly logger: Logger

  constructor(store: Store, options: LeaseOptions) {
    const { owner = randomUUID(), nowMs = Date.now, steadyMs = () => performance.now(), logger } = options
    this.activities = store.collection(activitiesSpec)
    this.owner = owner
    this.nowMs = nowMs
    this.sightings = new LeaseSightings(steadyMs)
    this.logger = logger
  }

  /** For an activity that is about to be inserted: whoever accepts it takes its first step. */
  fresh(): Lease {
    return { owner: this.owner, untilMs: this.nowMs() + LEASE_MS }
  }

  /** Whether another process may be at work on it. To look begins to wait for the end of its lease. */
  isElsewhere(activity: ActivityDocument): boolean {
    const { lease } = activity
    if (lease === undefined || lease.owner === this.owner) return false
    return this.sightings.unchangedMs(activity, lease) < LEASE_MS
  }

  /** @returns the activity with our lease, or as it ended; undefined when somebody else has the lease. */
  async take(activityId: string): Promise<ActivityDocument | undefined> {
    for (;;) {
      const stored = await this.load(activityId)
      const atRest = rests(stored.phase)
      if (!atRest && this.isElsewhere(stored)) return undefined
      this.sightings.forget(activityId)
      if (atRest || this.isOursForLong(stored)) return stored
      const taken = { ...stored, lease: this.fresh() }
      if (await this.activities.compareAndSet(stored, taken)) return { ...taken, v: stored.v + 1 }
    }
  }

  /** Renews the lease until the function returned is called. A step that goes on too long without it is done twice. */
  keep(activityId: string): () => void {
    const timer = setInterval(() => {
      this.renew(activityId).catch((error: unknown) => this.logger.error(describeBug(error), 'lease_not_renewed'))
    }, RENEW_MS)
    return () => clearInterval(timer)
  }

  /** Lets others go on at once. @param hostLost The signer lost a host over it, which counts. */
  async release(activityId: string, hostLost: boolean): Promise<void> {
    await this.change(activityId, (stored) => {
      const free = { ...stored, ...(hostLost && { hostsLost: (stored.hostsLost ?? 0) + 1 }) }
      delete free.lease
      return free
    })
  }

  private renew(activityId: string): Promise<void> {
    return this.change(activityId, (stored) => ({ ...stored, lease: this.fresh() }))
  }

  /** Of what is ours; a store that is away is no news here, and the lease ends by itself. */
  private async change(activityId: string, next: (stored: ActivityDocument) => ActivityDocument): Promise<void> {
    try {
      for (;;) {
        const stored = await this.load(activityId)
        if (rests(stored.phase) || stored.lease?.owner !== this.owner) return
        if (await this.activities.compareAndSet(stored, next(stored))) return
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      this.logger.warn({ activityId, reason: error.message }, 'lease_not_changed')
    }
  }

  private isOursForLong({ lease }: ActivityDocument): boolean {
    if (lease?.owner !== this.owner) return false
    const leftMs = lease.untilMs - this.nowMs()
    return leftMs > LEASE_MS / 2 && leftMs <= LEASE_MS
  }

  private async load(activityId: string): Promise<ActivityDocument> {
    const stored = await this.activities.get(activityId)
    if (stored === undefined) throw new Error('an activity vanished')
    return stored
  }
}

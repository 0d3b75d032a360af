/**
 * For how long leases of other processes have stood unchanged before our eyes. Clocks of machines differ and jump, so
 * the times that others write say nothing here; what passed between two looks of one process does.
 */
import type { ActivityDocument, Lease } from '../documents.ts'

/** Far more than one sweep looks at. Of what is dropped the waiting begins anew. */
const SIGHTINGS_MAX = 100_000

interface Sighting extends Lease {
  sinceMs: number
}

export class LeaseSightings {
  private readonly byActivity = new Map<string, Sighting>()
  private readonly steadyMs: () => number

  /** @param steadyMs A clock that never jumps. */
  constructor(steadyMs: () => number) {
    this.steadyMs = steadyMs
  }

  /** @returns 0 when this lease was never seen before: each renewal makes a new one. */
  unchangedMs({ _id }: Pick<ActivityDocument, '_id'>, { owner, untilMs }: Lease): number {
    const nowMs = this.steadyMs()
    const seen = this.byActivity.get(_id)
    if (seen?.owner === owner && seen.untilMs === untilMs) return nowMs - seen.sinceMs
    this.byActivity.delete(_id)
    this.byActivity.set(_id, { owner, untilMs, sinceMs: nowMs })
    if (this.byActivity.size > SIGHTINGS_MAX) this.byActivity.delete(this.byActivity.keys().next().value as string)
    return 0
  }

  forget(activityId: string): void {
    this.byActivity.delete(activityId)
  }
}

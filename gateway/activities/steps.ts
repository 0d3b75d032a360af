/** The steps of an activity. Each ends in one compare-and-set; whoever loses it takes what the winner has stored. */
import { refusalKinds, type Refusal } from '../../signer-core/protocol/refusals.ts'
import { activitiesSpec, type ActivityDocument, type FixedOutcome } from '../documents.ts'
import { receiptIdOf } from '../receipts/receipts.ts'
import type { Collection, Store } from '../store/store.ts'
import { isUndecided, mayLeadTo, rests } from './phases.ts'
import type { Records } from './records.ts'

export interface StepParts {
  store: Store
  records: Pick<Records, 'write'>
  nowMs: () => number
}

/** What came of an activity, to be stored with it. */
export type Settled =
  | { ok: true; value: FixedOutcome; /** That it was decided with. */ votes: number; targetId?: string }
  | { ok: false; refusal: Refusal }

export class Steps {
  private readonly parts: StepParts
  private readonly activities: Collection<ActivityDocument>

  constructor(parts: StepParts) {
    this.parts = parts
    this.activities = parts.store.collection(activitiesSpec)
  }

  async load(activityId: string): Promise<ActivityDocument> {
    const stored = await this.activities.get(activityId)
    if (stored === undefined) throw new Error('an activity vanished')
    return stored
  }

  /**
   * Stores what came of the activity, whatever else was stored meanwhile: that PENDING was shown, or another vote.
   * Only to go on waiting is not for whom another vote has come in: that one is to be counted first.
   */
  async settle(activity: ActivityDocument, settled: Settled): Promise<ActivityDocument> {
    let next = activity
    while (isUndecided(next.phase)) {
      const waits = settled.ok && settled.value.status === 'CONSENSUS_NEEDED'
      if (waits && (next.votes?.length ?? 0) > settled.votes) return next
      next = settled.ok
        ? await this.fixOutcome(settled.targetId ? { ...next, targetId: settled.targetId } : next, settled.value)
        : await this.refuse(next, settled.refusal)
    }
    return next
  }

  /** Fixes the outcome. Records are written from it afterwards, so that a crash in between loses and doubles none. */
  fixOutcome(activity: ActivityDocument, outcome: FixedOutcome): Promise<ActivityDocument> {
    const { status, result, evaluation, receiptId, ...records } = outcome
    const decided = { ...activity, evaluation, receiptId }
    if (status === 'REJECTED') return this.replace(activity, { ...decided, phase: 'rejected' })
    if (status === 'CONSENSUS_NEEDED') {
      return this.replace(activity, { ...decided, phase: 'waiting', votes: activity.votes ?? [] })
    }
    const { newKeys, newWallets, changes, importTarget, newOrganization } = records
    const writes =
      newKeys.length + newWallets.length > 0 ||
      changes !== '[]' ||
      importTarget !== undefined ||
      newOrganization !== undefined
    if (!writes) return this.replace(activity, { ...decided, result, phase: 'completed' })
    return this.replace(activity, { ...decided, result, phase: 'executed', ...records })
  }

  /** Once, however often the lease was renewed meanwhile: what they are written from does not change any more. */
  async writeRecords(activity: ActivityDocument): Promise<ActivityDocument> {
    await this.parts.records.write(activity)
    let next = activity
    do next = await this.replace(next, completed(next))
    while (next.phase === 'executed')
    return next
  }

  /** What a client may have seen cannot vanish and ends as failed. */
  refuse(activity: ActivityDocument, refusal: Refusal): Promise<ActivityDocument> {
    const { code, message, field: failureField, policyEvaluations, receipt } = refusal
    const failure = { code, message, ...(policyEvaluations && { policyEvaluations }) }
    const blamed = failureField === '' ? {} : { failureField }
    const refused = { ...activity, failure, ...blamed, ...(receipt && { receiptId: receiptIdOf(receipt) }) }
    const wasSeen = activity.shownPending === true || activity.phase === 'voted'
    if (wasSeen || refusalKinds[code] === 'execution') return this.replace(activity, { ...refused, phase: 'failed' })
    // The key is given back, so that the same body may succeed later; the document stays for the audit.
    return this.replace(activity, { ...refused, phase: 'refused', idempotencyKey: `refused/${activity._id}` })
  }

  /** No outcome has been stored and none can come: what lost hosts were doing is void. */
  giveUp(activity: ActivityDocument): Promise<ActivityDocument> {
    const message = 'the signer could not finish this activity'
    return this.refuse(activity, { code: 'SIGNER_GAVE_UP', message, field: '' })
  }

  /**
   * Records that clients may know the activity as PENDING, before one is told so.
   * @returns the activity as it is stored, which may have ended meanwhile.
   */
  async markShown(activity: ActivityDocument): Promise<ActivityDocument> {
    for (let current = activity; ; current = await this.load(activity._id)) {
      if (current.phase !== 'accepted' || current.shownPending === true) return current
      const marked = { ...current, shownPending: true }
      if (await this.activities.compareAndSet(current, marked)) return { ...marked, v: current.v + 1 }
    }
  }

  private async replace(activity: ActivityDocument, next: ActivityDocument): Promise<ActivityDocument> {
    if (!mayLeadTo(activity.phase, next.phase)) throw new Error(`${activity.phase} may not lead to ${next.phase}`)
    // Another process's clock may have been ahead of ours; time goes on all the same.
    const changed = { ...next, updatedAtMs: Math.max(this.parts.nowMs(), activity.updatedAtMs) }
    if (rests(changed.phase)) delete changed.lease
    if (await this.activities.compareAndSet(activity, changed)) return { ...changed, v: activity.v + 1 }
    return this.load(activity._id)
  }
}

/** The end of an activity whose records are all there. */
function completed(activity: ActivityDocument): ActivityDocument {
  const written: ActivityDocument = { ...activity, phase: 'completed' }
  const members = ['newKeys', 'newWallets', 'changes', 'importTarget', 'newOrganization'] as const
  for (const member of members) delete written[member]
  return written
}

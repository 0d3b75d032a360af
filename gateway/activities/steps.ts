/** The steps of an activity. Each ends in one compare-and-set; whoever loses it takes what the winner has stored. */
import type { Answer, Outcome } from '../../signer-core/protocol/messages.ts'
import { refusalKinds, type Refusal } from '../../signer-core/protocol/refusals.ts'
import { activitiesSpec, type ActivityDocument } from '../documents.ts'
import type { Organizations } from '../organizations/organizations.ts'
import { receiptIdOf, type Receipts } from '../receipts/receipts.ts'
import { SignerUnavailableError, type SignerClient } from '../signer-client/signer-client.ts'
import type { Collection, Store } from '../store/store.ts'
import type { Named } from './named.ts'
import { isFinal, mayLeadTo } from './phases.ts'
import type { Records } from './records.ts'

export interface StepParts {
  store: Store
  signer: Pick<SignerClient, 'perform'>
  organizations: Organizations
  named: Named
  records: Records
  receipts: Receipts
  nowMs: () => number
}

export class Steps {
  private readonly parts: StepParts
  private readonly activities: Collection<ActivityDocument>

  constructor(parts: StepParts) {
    this.parts = parts
    this.activities = parts.store.collection(activitiesSpec)
  }

  /**
   * Asks the signer, after the gateway's own look at what only the store can tell. The receipt is stored before anything
   * else is done with the answer.
   * @throws {SignerUnavailableError} when there was no decision, or none that counts; asking again is safe.
   */
  async perform(activity: ActivityDocument): Promise<Answer<Outcome>> {
    const { organizations, named, receipts, signer } = this.parts
    const { _id, organizationId, body, stamp } = activity
    const organization = await organizations.notarized(organizationId)
    if (organization === undefined) throw new Error('activity of an organization that is not there')
    const refusal = await named.takePaths(activity)
    if (refusal !== undefined) return { ok: false, refusal }
    const brought = await named.bring(activity)
    const stored = receipts.stored(organizationId)
    const { backlog, ...answer } = await signer.perform({
      activityId: _id,
      body: Buffer.from(body).toString('base64'),
      stamp,
      organization,
      ...brought,
      receipts: stored,
    })
    if (backlog !== undefined) await receipts.store(organizationId, stored.session, backlog, answer)
    if (answer.ok === 'later') throw new SignerUnavailableError('receipts not stored')
    return answer.ok && !isAbout(activity, answer.value) ? mismatch : answer
  }

  /** Fixes the outcome. Records are written from it afterwards, so that a crash in between loses and doubles none. */
  fixOutcome(activity: ActivityDocument, answer: Outcome): Promise<ActivityDocument> {
    const { organizationVersion: _, result, evaluation, receipt, ...records } = answer
    const { newKeys, newWallets, changes, importTarget } = records
    const outcome = { ...activity, result, evaluation, receiptId: receiptIdOf(receipt) }
    const writes = newKeys.length + newWallets.length > 0 || changes !== '[]' || importTarget !== undefined
    if (!writes) return this.replace(activity, { ...outcome, phase: 'completed' })
    return this.replace(activity, { ...outcome, phase: 'executed', ...records })
  }

  async writeRecords(activity: ActivityDocument): Promise<ActivityDocument> {
    await this.parts.records.write(activity)
    const written: ActivityDocument = { ...activity, phase: 'completed' }
    for (const member of ['newKeys', 'newWallets', 'changes', 'importTarget'] as const) delete written[member]
    return this.replace(activity, written)
  }

  /** What a client may have seen cannot vanish and ends as failed. */
  refuse(activity: ActivityDocument, refusal: Refusal): Promise<ActivityDocument> {
    const failure = { code: refusal.code, message: refusal.message }
    const { field: failureField, receipt } = refusal
    const blamed = failureField === '' ? {} : { failureField }
    const refused = { ...activity, failure, ...blamed, ...(receipt && { receiptId: receiptIdOf(receipt) }) }
    if (activity.shownPending === true || refusalKinds[refusal.code] === 'execution') {
      return this.replace(activity, { ...refused, phase: 'failed' })
    }
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
    const changed = { ...next, updatedAtMs: this.parts.nowMs() }
    if (isFinal(changed.phase)) delete changed.lease
    if (await this.activities.compareAndSet(activity, changed)) return { ...changed, v: activity.v + 1 }
    return this.load(activity._id)
  }

  async load(activityId: string): Promise<ActivityDocument> {
    const stored = await this.activities.get(activityId)
    if (stored === undefined) throw new Error('an activity vanished')
    return stored
  }
}

const mismatch: Answer<Outcome> = {
  ok: false,
  refusal: { code: 'SIGNER_REQUEST_MISMATCH', message: 'the signer acted upon something else', field: '' },
}

/**
 * Whether the signer decided upon this activity and these bytes: a call that was exchanged on its way brings back a
 * genuine outcome, but of something else. Format: `signer-core/gate/evaluation.ts`.
 */
function isAbout({ _id, fingerprint }: ActivityDocument, { evaluation }: Outcome): boolean {
  const { activityId, bodyDigest } = JSON.parse(evaluation.text) as { activityId: unknown; bodyDigest: string }
  return activityId === _id && `sha256:${bodyDigest}` === fingerprint
}

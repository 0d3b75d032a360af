/** Asks the signer about one activity, with everything that it names and, of a vote, everything that its target names. */
import type { Answer, Notarized, Outcome, Target, Vote } from '../../signer-core/protocol/messages.ts'
import type { OrganizationRecord } from '../../signer-core/protocol/organization-record.ts'
import type { ActivityDocument, FixedOutcome, VoteEntry } from '../documents.ts'
import { receiptIdOf, type Receipts } from '../receipts/receipts.ts'
import { SignerUnavailableError, type SignerClient } from '../signer-client/signer-client.ts'
import type { Named } from './named.ts'

export interface AskParts {
  signer: Pick<SignerClient, 'perform'>
  named: Named
  receipts: Receipts
}

/** What the signer decided: what it came to and, when that is a new version of the organization, that version. */
export interface Decided {
  fixed: FixedOutcome
  organization?: Notarized
}

export class Ask {
  private readonly parts: AskParts

  constructor(parts: AskParts) {
    this.parts = parts
  }

  /**
   * After the gateway's own look at what only the store can tell. The receipt is stored before anything else is done
   * with the answer.
   * @param target When the activity is a vote: what it is about.
   * @throws {SignerUnavailableError} when there was no decision, or none that counts; asking again is safe.
   */
  async ask(activity: ActivityDocument, organization: Notarized, target?: ActivityDocument): Promise<Answer<Decided>> {
    const { named, receipts, signer } = this.parts
    const refusal = await named.lookAhead(activity)
    if (refusal !== undefined) return { ok: false, refusal }
    const { text, seal } = organization
    const stored = receipts.stored(activity.organizationId)
    const { backlog, ...answer } = await signer.perform({
      ...stamped(activity),
      organization: { text, seal },
      ...(await named.bring(target ?? activity)),
      ...(target !== undefined && { target: targetOf(target) }),
      ...(activity.votes !== undefined && { evaluation: evaluationOf(activity), votes: votesOf(activity) }),
      receipts: stored,
    })
    if (backlog !== undefined) await receipts.store(activity.organizationId, stored.session, backlog, answer)
    if (answer.ok === 'later') throw new SignerUnavailableError('receipts not stored')
    if (!answer.ok) return answer
    const { value } = answer
    return isAbout(activity, value) && isNext(text, value) ? { ok: true, value: decidedOf(value) } : mismatch
  }
}

function stamped({ _id, body, stamp }: Pick<ActivityDocument, '_id' | 'body' | 'stamp'>): Vote {
  return { activityId: _id, body: Buffer.from(body).toString('base64'), stamp }
}

function targetOf(target: ActivityDocument): Target {
  return { ...stamped(target), evaluation: evaluationOf(target), votes: votesOf(target) }
}

function votesOf({ votes = [] }: ActivityDocument): Vote[] {
  return votes.map(({ voteId, body, stamp }: VoteEntry) => stamped({ _id: voteId, body, stamp }))
}

/** An activity that has waited was evaluated. */
function evaluationOf({ evaluation }: ActivityDocument): Notarized {
  if (evaluation === undefined) throw new Error('an activity waits without an evaluation')
  return evaluation
}

function decidedOf(answer: Outcome): Decided {
  const { receipt, organizationVersion: _, organization, ...outcome } = answer
  const fixed = { ...outcome, receiptId: receiptIdOf(receipt) }
  return organization === undefined ? { fixed } : { fixed, organization }
}

const mismatch: Answer<Decided> = {
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

/** Whether the new record, if there is one, is the next version of the one that was brought. */
function isNext(brought: string, { organization }: Outcome): boolean {
  if (organization === undefined) return true
  const [now, next] = [brought, organization.text].map((text) => JSON.parse(text) as OrganizationRecord)
  return next?.organizationId === now?.organizationId && next?.version === (now?.version ?? 0) + 1
}

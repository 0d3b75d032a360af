/**
 * One decision of the signer about an activity, and where it counts: a new version of the organization by taking the
 * place of the one that it was made from, a vote by being appended to its target. Whoever loses such a
 * compare-and-set decides again on what the winner has stored; a crash behind it is found by what it has left there.
 */
import { organizationActivityTypes } from '../../signer-core/protocol/organization-activity-types.ts'
import type { Refusal } from '../../signer-core/protocol/refusals.ts'
import type { ActivityDocument, FixedOutcome, OrganizationDocument, VoteEntry } from '../documents.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { SubOrganizations } from '../organizations/sub-organizations.ts'
import { Turns } from '../organizations/turns.ts'
import type { Ask } from './ask.ts'
import { isUndecided } from './phases.ts'
import type { Settled, Steps } from './steps.ts'
import { voteOf, voteSelectionOf, type Votes } from './votes.ts'

/** `moved`: what it was about has changed meanwhile; load it and look again. */
export type Decision = Settled | { ok: 'moved' }

export interface DecideParts {
  ask: Ask
  steps: Steps
  votes: Votes
  organizations: Organizations
  subOrganizations: SubOrganizations
  nowMs: () => number
}

const moved = { ok: 'moved' } as const

export class Decide {
  private readonly parts: DecideParts
  private readonly turns = new Turns()

  constructor(parts: DecideParts) {
    this.parts = parts
  }

  /** @throws {SignerUnavailableError} when there was no decision; asking again is safe. */
  decide(activity: ActivityDocument): Promise<Decision> {
    const { type, organizationId } = activity
    if (voteSelectionOf(type) !== undefined) return this.decideVote(activity)
    const work = () => this.decideActivity(activity)
    return Object.hasOwn(organizationActivityTypes, type) ? this.turns.take(organizationId, work) : work()
  }

  private async decideActivity({ _id, organizationId }: ActivityDocument): Promise<Decision> {
    const { ask, steps, organizations, subOrganizations, nowMs } = this.parts
    const from = await organizations.documentOf(organizationId)
    // Read after the organization: before `made` goes from there it is stored with its activity.
    const activity = await steps.load(_id)
    if (!isUndecided(activity.phase)) return moved
    const votes = activity.votes?.length ?? 0
    if (from.madeBy === _id && from.made !== undefined) return { ok: true, value: from.made, votes }
    const answer = await ask.ask(activity, from)
    if (!answer.ok) return this.refusedOn(from, answer.refusal)
    const { fixed, organization: next } = answer.value
    if (next === undefined) return { ok: true, value: fixed, votes }
    await this.settleFormer(from)
    await subOrganizations.addNames(next.text, from.text)
    const won = await organizations.advance(from, next, _id, fixed, nowMs())
    return won ? { ok: true, value: fixed, votes } : moved
  }

  private async decideVote(vote: ActivityDocument): Promise<Decision> {
    const { ask, votes, organizations, nowMs } = this.parts
    const target = await votes.targetOf(vote)
    if (target === undefined) return { ok: false, refusal: nothingWaits }
    const counted = voteOf(target, vote._id)
    if (counted !== undefined) return { ok: true, value: outcomeOf(counted), votes: 0, targetId: target._id }
    const from = await organizations.documentOf(vote.organizationId)
    const answer = await ask.ask(vote, from, target)
    if (!answer.ok) return this.refusedOn(from, answer.refusal)
    const { fixed } = answer.value
    const won = await votes.append(target, vote, fixed, nowMs())
    return won ? { ok: true, value: fixed, votes: 0, targetId: target._id } : moved
  }

  /** A host may have seen a version that came in while the call was under way. */
  private async refusedOn(brought: OrganizationDocument, refusal: Refusal): Promise<Decision> {
    if (refusal.code !== 'ORGANIZATION_RECORD_OUTDATED') return { ok: false, refusal }
    const now = await this.parts.organizations.documentOf(brought._id)
    return now.text === brought.text ? { ok: false, refusal } : moved
  }

  /** What the present version came from must be stored with its activity before it goes. */
  private async settleFormer({ madeBy, made }: OrganizationDocument): Promise<void> {
    if (madeBy === undefined || made === undefined) return
    const { steps } = this.parts
    await steps.settle(await steps.load(madeBy), { ok: true, value: made, votes: Infinity })
  }
}

const nothingWaits: Refusal = {
  code: 'ACTIVITY_NOT_FOUND',
  message: 'no activity that waits was found with the given fingerprint',
  field: 'parameters.fingerprint',
}

/** Of a vote that is with its target already. */
function outcomeOf({ evaluation, receiptId }: VoteEntry): FixedOutcome {
  return { status: 'COMPLETED', result: '{}', evaluation, receiptId, newKeys: [], newWallets: [], changes: '[]' }
}

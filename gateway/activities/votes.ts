/** Votes on activities that wait: what a vote is about, and how it gets there. */
import type { ActivityType } from '../../signer-core/protocol/activity-type.ts'
import { activityTypes, isActivityTypeName } from '../../signer-core/protocol/activity-types.ts'
import type { VoteSelection } from '../../signer-core/protocol/activities/vote.ts'
import { activitiesSpec, type ActivityDocument, type FixedOutcome, type VoteEntry } from '../documents.ts'
import { FIND_LIMIT_MAX, type Collection, type Store } from '../store/store.ts'
import { change } from '../store/writes.ts'
import { mayLeadTo } from './phases.ts'

/** What an activity of this type says of another one; undefined when it is no vote. */
export function voteSelectionOf(type: string): VoteSelection | undefined {
  const described: ActivityType | undefined = isActivityTypeName(type) ? activityTypes[type] : undefined
  return described?.vote
}

export class Votes {
  private readonly activities: Collection<ActivityDocument>

  constructor(store: Store) {
    this.activities = store.collection(activitiesSpec)
  }

  /**
   * The activity that a vote is about: the one that has it already, or the one that waits under its fingerprint. Newest
   * first, as before it the same body may have been refused any number of times.
   * Bodies that differ and are one activity (RFC 8785) are found under the fingerprint of the first only.
   */
  async targetOf({ _id, organizationId, body }: ActivityDocument): Promise<ActivityDocument | undefined> {
    const { fingerprint } = (JSON.parse(body) as { parameters: { fingerprint: string } }).parameters
    const where = { organizationId, fingerprint }
    const { items } = await this.activities.find({ where, sort: '_id', descending: true, limit: FIND_LIMIT_MAX })
    return items.find((each) => voteOf(each, _id) !== undefined) ?? items.find(({ phase }) => mayLeadTo(phase, 'voted'))
  }

  /**
   * @param target As the signer saw it with the vote.
   * @returns false when it has come further meanwhile: then nothing has happened. That its lease was renewed is no news.
   */
  async append(target: ActivityDocument, vote: ActivityDocument, fixed: FixedOutcome, nowMs: number): Promise<boolean> {
    const selection = voteSelectionOf(vote.type)
    if (selection === undefined) throw new Error('an activity that is no vote was counted')
    const { _id: voteId, userId, body, stamp, createdAtMs } = vote
    const { evaluation, receiptId } = fixed
    const entry: VoteEntry = { voteId, userId, selection, body, stamp, createdAtMs, evaluation, receiptId }
    let counts = false
    await change<ActivityDocument>(this.activities, target._id, (stored) => {
      counts = isAsSeen(stored, target)
      if (!counts) return undefined
      return { ...stored, phase: 'voted', votes: [...(stored.votes ?? []), entry], updatedAtMs: nowMs }
    })
    return counts
  }
}

/** In all that the signer is told of a target; votes are only ever added. */
function isAsSeen(stored: ActivityDocument, seen: ActivityDocument): boolean {
  if (!mayLeadTo(stored.phase, 'voted')) return false
  return stored.votes?.length === seen.votes?.length && stored.evaluation?.text === seen.evaluation?.text
}

/** The vote of this id, when it counts for the activity already. */
export function voteOf({ votes = [] }: ActivityDocument, voteId: string): VoteEntry | undefined {
  return votes.find((each) => each.voteId === voteId)
}

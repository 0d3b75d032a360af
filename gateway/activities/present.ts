/** Activities as the wire shows them to somebody. */
import { activityTypes, isActivityTypeName } from '../../signer-core/protocol/activity-types.ts'
import type { EvaluationText } from '../../signer-core/protocol/messages.ts'
import type { User } from '../../signer-core/protocol/organization-record.ts'
import type { ActivityDocument, VoteEntry } from '../documents.ts'
import type { Caller } from '../http/middleware/stamp.ts'
import { presentTime } from '../http/present-time.ts'
import { presentUser } from '../organizations/present.ts'
import type { Collection } from '../store/store.ts'
import { phases } from './phases.ts'

/** @param caller Who asks: some of it is about what they may do. */
export async function presentActivity(
  activity: ActivityDocument,
  caller: Caller,
  activities: Pick<Collection<ActivityDocument>, 'get'>,
): Promise<object> {
  const { targetId, failure } = activity
  const target = targetId === undefined ? undefined : await activities.get(targetId)
  const mayVote = isAskedFor(activity, caller)
  return {
    id: activity._id,
    organizationId: activity.organizationId,
    status: phases[activity.phase].status,
    type: activity.type,
    intent: presentIntent(activity),
    // Clients read from a vote what came of the activity that it is about.
    result: { ...resultOf(activity), ...(target && resultOf(target)) },
    votes: presentVotes(activity, caller.organization.users),
    fingerprint: activity.fingerprint,
    canApprove: mayVote,
    canReject: mayVote,
    createdAt: presentTime(activity.createdAtMs),
    updatedAt: presentTime(activity.updatedAtMs),
    failure: activity.phase === 'failed' && failure ? { code: failure.code, message: failure.message } : null,
  }
}

/** Whether it waits for this user's vote. The signer decides anew when one comes. */
function isAskedFor({ phase, userId, votes = [], evaluation }: ActivityDocument, caller: Caller): boolean {
  if (caller.home !== caller.organization || evaluation === undefined) return false
  if (phases[phase].status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED') return false
  const hasVoted = [userId, ...votes.map((vote) => vote.userId)].includes(caller.user.userId)
  const { voterIds } = JSON.parse(evaluation.text) as EvaluationText
  return !hasVoted && voterIds.includes(caller.user.userId)
}

function resultOf({ phase, result = '{}' }: ActivityDocument): object {
  return phase === 'completed' ? (JSON.parse(result) as object) : {}
}

/** The parameters under each name that clients know. */
function presentIntent({ type, body }: ActivityDocument): object {
  if (!isActivityTypeName(type)) return {}
  const { parameters } = JSON.parse(body) as { parameters: unknown }
  return Object.fromEntries(activityTypes[type].intents.map((name) => [name, parameters]))
}

/** The submitter's is the first; none where nobody else had to be asked. */
function presentVotes(activity: ActivityDocument, users: readonly User[]): object[] {
  const { _id: activityId, votes, body, stamp, userId, createdAtMs } = activity
  if (votes === undefined) return []
  const own = { voteId: activityId, userId, selection: 'VOTE_SELECTION_APPROVED', body, stamp, createdAtMs } as const
  return [own, ...votes].map((vote) => presentVote(vote, activityId, users))
}

/** Somebody who is no user any more is named by id alone. */
function presentVote(vote: Omit<VoteEntry, 'evaluation' | 'receiptId'>, activityId: string, users: readonly User[]) {
  const { voteId: id, userId, selection, body: message, stamp, createdAtMs } = vote
  const user = users.find((each) => each.userId === userId)
  return {
    id,
    userId,
    ...(user && { user: presentUser(user) }),
    activityId,
    selection,
    message,
    publicKey: stamp.publicKey,
    signature: stamp.signature,
    scheme: stamp.scheme,
    createdAt: presentTime(createdAtMs),
  }
}

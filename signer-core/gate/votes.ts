/** Votes that were brought along: each is what somebody has stamped, and counts for exactly one activity. */
import type { ActivityType } from '../protocol/activity-type.ts'
import { activityTypes } from '../protocol/activity-types.ts'
import type { Vote, VoteSelection } from '../protocol/activities/vote.ts'
import { bytesToHex } from '../protocol/bytes.ts'
import { VOTE_AGE_MAX_MS, VOTE_AHEAD_MAX_MS } from '../protocol/limits.ts'
import type { Credential, OrganizationRecord } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { identify, readActivity, readBody, type Activity, type Body } from './stamped-body.ts'
import type { Stamped } from './wit-types.ts'

export interface ReadVote {
  voteId: string
  selection: VoteSelection
  credential: Credential
}

/** Of an activity that is a vote. */
export function selectionOf({ type }: Activity): VoteSelection | undefined {
  const described: ActivityType = activityTypes[type]
  return described.vote
}

export function isVoteOn({ parameters }: Activity, bodyDigest: Uint8Array): boolean {
  return (parameters as Vote).fingerprint === `sha256:${bytesToHex(bodyDigest)}`
}

export function hasLapsed({ timestampMs }: Body, nowMs: number): boolean {
  const ageMs = nowMs - Number(timestampMs)
  return ageMs >= VOTE_AGE_MAX_MS || ageMs < -VOTE_AHEAD_MAX_MS
}

/**
 * The votes that count today: younger than a day, by a credential that the organization still has. Others have become
 * void and are left out, so that an activity goes on waiting.
 *
 * @param bodyDigest Of the activity that they are said to be about.
 * @throws {RefusalError} `VOTE_REFUSED` for what never was a vote on it.
 */
export function readVotes(
  votes: Stamped[],
  bodyDigest: Uint8Array,
  organization: OrganizationRecord,
  nowMs: number,
): ReadVote[] {
  return votes.flatMap((vote) => {
    const { body, activity, selection } = refusingVote(() => {
      const read = readBody(vote.body, organization)
      const asked = readActivity(read)
      return { body: read, activity: asked, selection: selectionOf(asked) }
    })
    if (selection === undefined || !isVoteOn(activity, bodyDigest)) throw notOnThis()
    if (hasLapsed(body, nowMs)) return []
    const credential = presentCredential(vote, organization, nowMs)
    return credential === undefined ? [] : [{ voteId: vote.activityId, selection, credential }]
  })
}

/** Approvals, one voice per user, and none of whoever has rejected since; the submitter's is the activity itself. */
export function approvalsOf(votes: ReadVote[], submitter: Credential): ReadVote[] {
  if (votes.length === 0) return []
  const rejecting = votes.filter(({ selection }) => selection === 'VOTE_SELECTION_REJECTED')
  const heard = new Set([submitter, ...rejecting.map(({ credential }) => credential)].map(({ user }) => user.userId))
  return votes.filter(({ selection, credential }) => {
    const { userId } = credential.user
    if (selection !== 'VOTE_SELECTION_APPROVED' || heard.has(userId)) return false
    heard.add(userId)
    return true
  })
}

function refusingVote<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RefusalError) throw notOnThis()
    throw error
  }
}

function notOnThis(): RefusalError {
  return new RefusalError('VOTE_REFUSED', 'a vote that was brought along is none on this activity')
}

function presentCredential(vote: Stamped, organization: OrganizationRecord, nowMs: number): Credential | undefined {
  try {
    return identify(vote, organization, nowMs)
  } catch (error) {
    if (error instanceof RefusalError) return undefined
    throw error
  }
}

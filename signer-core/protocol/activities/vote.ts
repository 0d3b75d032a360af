/** What approving and rejecting have in common. */
import { object, pattern, type TypeOf } from '../schema.ts'

export const voteSelections = ['VOTE_SELECTION_APPROVED', 'VOTE_SELECTION_REJECTED'] as const
export type VoteSelection = (typeof voteSelections)[number]

export const voteSchema = object({
  /** SHA-256 of the body of the activity that is voted on. */
  fingerprint: pattern(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 hexadecimal digits'),
})
export type Vote = TypeOf<typeof voteSchema>

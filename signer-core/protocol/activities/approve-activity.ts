import { voteSchema } from './vote.ts'

export const approveActivitySchema = voteSchema

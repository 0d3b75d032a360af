import { voteSchema } from './vote.ts'

export const rejectActivitySchema = voteSchema

import { RefusalError } from '../protocol/refusals.ts'
import type { PlanContext } from './operation.ts'

/** What is sealed to a user's import target comes from that user and nobody else. */
export function refuseOtherUser(userId: string, context: PlanContext): void {
  if (userId === context.userId) return
  throw new RefusalError('PARAMETERS_INVALID', 'userId must be the caller’s own', 'parameters.userId')
}

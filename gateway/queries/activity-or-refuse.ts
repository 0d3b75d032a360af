import { UUID } from '../../signer-core/protocol/organization-record.ts'
import type { ActivityDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/middleware/stamp.ts'
import type { QueryParts } from './query.ts'

/**
 * Also one that was refused, which is no activity for clients but has left receipts and evaluations.
 * @throws {ApiError} `RESOURCE_NOT_FOUND`.
 */
export async function activityOrRefuse(
  activityId: string,
  { organization }: Caller,
  { activities }: Pick<QueryParts, 'activities'>,
): Promise<ActivityDocument> {
  const activity = UUID.test(activityId) ? await activities.get(activityId) : undefined
  if (activity?.organizationId === organization.organizationId) return activity
  throw new ApiError('RESOURCE_NOT_FOUND', 'no activity found with the given ID')
}

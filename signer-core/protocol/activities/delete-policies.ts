import { object, type TypeOf } from '../schema.ts'
import { idsToDelete } from './deletions.ts'

export const deletePoliciesSchema = object({ policyIds: idsToDelete })
export type DeletePolicies = TypeOf<typeof deletePoliciesSchema>

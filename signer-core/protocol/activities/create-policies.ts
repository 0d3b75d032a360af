import { POLICIES_MAX } from '../limits.ts'
import { list, object, type TypeOf } from '../schema.ts'
import { policyParams } from './policies.ts'

export const createPoliciesSchema = object({ policies: list(policyParams, POLICIES_MAX, { countMin: 1 }) })
export type CreatePolicies = TypeOf<typeof createPoliciesSchema>

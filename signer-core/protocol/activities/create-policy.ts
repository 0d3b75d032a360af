import { policyParams, type PolicyParams } from './policies.ts'

export const createPolicySchema = policyParams
export type CreatePolicy = PolicyParams

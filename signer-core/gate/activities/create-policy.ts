import type { CreatePolicy } from '../../protocol/activities/create-policy.ts'
import type { Operation } from '../operation.ts'
import { planNewPolicies } from './create-policies.ts'

export const createPolicy: Operation<CreatePolicy> = {
  plan: (policy, context) =>
    planNewPolicies(
      'CREATE_POLICY',
      [policy],
      () => 'parameters.',
      ([policyId]) => ({ createPolicyResult: { policyId: policyId as string } }),
      context,
    ),
}

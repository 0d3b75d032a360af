import type { DeletePolicy } from '../../protocol/activities/delete-policy.ts'
import type { Operation } from '../operation.ts'
import { planPolicyDeletion } from './delete-policies.ts'

export const deletePolicy: Operation<DeletePolicy> = {
  plan({ policyId }, context) {
    const result = { deletePolicyResult: { policyId } }
    return planPolicyDeletion('DELETE_POLICY', [policyId], () => 'parameters.policyId', result, context)
  },
}

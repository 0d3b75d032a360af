import type { DeletePolicies } from '../../protocol/activities/delete-policies.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Effect, type Operation, type Plan, type PlanContext } from '../operation.ts'
import { policyOfId } from '../record-parts.ts'

/** @param field Of the `i`-th id in the body. */
export function planPolicyDeletion(
  operation: string,
  policyIds: string[],
  field: (i: number) => string,
  result: Effect['result'],
  context: PlanContext,
): Plan {
  const { organization } = context
  policyIds.forEach((policyId, i) => policyOfId(organization, policyId, field(i)))
  const left = organization.policies.filter(({ policyId }) => !policyIds.includes(policyId))
  const next = nextRecord(context, { policies: left })
  return { commitment: committed(operation, { policyIds }), execute: () => ({ result, organization: next }) }
}

export const deletePolicies: Operation<DeletePolicies> = {
  plan({ policyIds }, context) {
    const result = { deletePoliciesResult: { policyIds } }
    return planPolicyDeletion('DELETE_POLICIES', policyIds, (i) => `parameters.policyIds.${i}`, result, context)
  },
}

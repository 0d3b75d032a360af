import type { CreatePolicies } from '../../protocol/activities/create-policies.ts'
import type { PolicyParams } from '../../protocol/activities/policies.ts'
import { newIds } from '../key-ids.ts'
import { newPolicy, refuseFaults } from '../new-policies.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Effect, type Operation, type Plan, type PlanContext } from '../operation.ts'

/** @param field Of the `i`-th policy in the body, with a dot at its end. */
export function planNewPolicies(
  operation: string,
  params: PolicyParams[],
  field: (i: number) => string,
  resultOf: (policyIds: string[]) => Effect['result'],
  context: PlanContext,
): Plan {
  const nextId = newIds(context)
  const created = params.map((each) => newPolicy(each, nextId(), context.nowMs))
  created.forEach((each, i) => refuseFaults(each, (name) => field(i) + name))
  const policyIds = created.map(({ policyId }) => policyId)
  const next = nextRecord(context, { policies: [...context.organization.policies, ...created] })
  return {
    commitment: committed(operation, { policyIds, policies: params }),
    execute: () => ({ result: resultOf(policyIds), organization: next }),
  }
}

export const createPolicies: Operation<CreatePolicies> = {
  plan: ({ policies }, context) =>
    planNewPolicies(
      'CREATE_POLICIES',
      policies,
      (i) => `parameters.policies.${i}.`,
      (policyIds) => ({ createPoliciesResult: { policyIds } }),
      context,
    ),
}

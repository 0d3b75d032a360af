import type { UpdatePolicy } from '../../protocol/activities/update-policy.ts'
import type { Policy } from '../../protocol/organization-record.ts'
import { refuseFaults } from '../new-policies.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { policyOfId } from '../record-parts.ts'

const members = { condition: 'policyCondition', consensus: 'policyConsensus', time: 'time' } as const

function updatePolicy(result: string): Operation<UpdatePolicy> {
  return {
    plan({ policyId, ...params }, context) {
      const { organization, nowMs } = context
      const policy = policyOfId(organization, policyId, 'parameters.policyId')
      const changed: Policy = {
        ...policy,
        policyName: params.policyName ?? policy.policyName,
        effect: params.policyEffect ?? policy.effect,
        condition: params.policyCondition ?? policy.condition,
        consensus: params.policyConsensus ?? policy.consensus,
        time: params.time ?? policy.time,
        notes: params.policyNotes ?? policy.notes,
        updatedAtMs: nowMs,
      }
      refuseFaults(changed, (name) => `parameters.${members[name]}`)
      const policies = organization.policies.map((each) => (each === policy ? changed : each))
      const next = nextRecord(context, { policies })
      return {
        commitment: committed('UPDATE_POLICY', { policyId, ...params }),
        execute: () => ({ result: { [result]: { policyId } }, organization: next }),
      }
    },
  }
}

export const updatePolicyV2 = updatePolicy('updatePolicyResultV2')
export const updatePolicyV1 = updatePolicy('updatePolicyResult')

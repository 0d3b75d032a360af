import { policyActivity } from '../../policies/policy-activity.ts'
import { object } from '../../signer-core/protocol/schema.ts'
import { defineQuery } from './query.ts'

/** Whether each policy's `time` holds now, by the clock of this gateway; the signer decides by its own. */
export const getActivePolicies = defineQuery({
  parameters: object({}),
  async run(_, { organization }, { nowMs }) {
    const evaluatedAtMs = nowMs()
    const statuses = organization.policies.map(({ policyId, time }) => ({
      organizationId: organization.organizationId,
      policyId,
      ...policyActivity(time, evaluatedAtMs),
      ...(time !== '' && { timeExpr: time }),
    }))
    return { statuses, evaluatedAtMs: String(evaluatedAtMs) }
  },
})

/** Policies that somebody wants to try, as createPolicies takes them. */
import { policyFaults, policyFields } from '../../policies/policy.ts'
import { policyParams, type PolicyParams } from '../../signer-core/protocol/activities/policies.ts'
import { POLICIES_MAX } from '../../signer-core/protocol/limits.ts'
import type { PolicyText } from '../../signer-core/protocol/messages.ts'
import { list, type Schema } from '../../signer-core/protocol/schema.ts'

const policyList = list(policyParams, POLICIES_MAX)

/** Each is named by its place, `0` and so on; an expression that cannot be read is a violation with line and column. */
export const candidatePolicies: Schema<PolicyText[]> = {
  read(value, field, violations) {
    const before = violations.length
    const policies = policyList.read(value, field, violations)
    if (violations.length > before) return []
    for (const [i, policy] of policies.entries()) {
      for (const { field: member, line, column, message } of policyFaults(policy)) {
        violations.push({ field: `${field}.${i}.${member}`, description: `line ${line}, column ${column}: ${message}` })
      }
    }
    return policies.map(candidate)
  },
}

function candidate(policy: PolicyParams, place: number): PolicyText {
  const expressions = policyFields.flatMap((field) => {
    const expression = policy[field]
    return expression === undefined ? [] : [[field, expression] as const]
  })
  return { policyId: String(place), effect: policy.effect, ...Object.fromEntries(expressions) }
}

/** Policies that an activity stores: their expressions are read before, so that none is stored that says nothing. */
import type { PolicyField } from '../../policies/facts/schema.ts'
import { policyFaults } from '../../policies/policy.ts'
import type { PolicyParams } from '../protocol/activities/policies.ts'
import type { Policy } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'

type Expressions = { [field in PolicyField]?: string | undefined }

export function newPolicy(params: PolicyParams, policyId: string, nowMs: number): Policy {
  const { policyName, effect, condition = '', consensus = '', time = '', notes = '' } = params
  return { policyId, policyName, effect, condition, consensus, time, notes, createdAtMs: nowMs, updatedAtMs: nowMs }
}

/**
 * @param fieldOf Names the member of the body that holds an expression.
 * @throws {RefusalError} `POLICY_INVALID`, with line and column of the first fault.
 */
export function refuseFaults(expressions: Expressions, fieldOf: (name: PolicyField) => string): void {
  const [fault] = policyFaults(expressions)
  if (fault === undefined) return
  const message = `${fault.field}, line ${fault.line}, column ${fault.column}: ${fault.message}`
  throw new RefusalError('POLICY_INVALID', message, fieldOf(fault.field))
}

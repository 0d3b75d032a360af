import { compilePolicy, type CompiledPolicy } from '../../policies/policy.ts'
import type { OrganizationRecord } from '../protocol/organization-record.ts'

/** Compiling costs about a millisecond for each policy, so it is done once for each record that is kept. */
const compiled = new WeakMap<OrganizationRecord, readonly CompiledPolicy[]>()

export function compiledPolicies(organization: OrganizationRecord): readonly CompiledPolicy[] {
  const known = compiled.get(organization)
  if (known !== undefined) return known
  const policies = organization.policies.map(compilePolicy)
  compiled.set(organization, policies)
  return policies
}

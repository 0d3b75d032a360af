/** Brings policies into an organization, once however often it is done. */
import type { ApiClient } from './api-client.ts'
import type { PolicyDocument } from './policy-document.ts'

type Policy = Required<PolicyDocument> & { policyId: string }

/**
 * A policy is known by its name and its consensus, which names the user; one that says something else is updated. No other
 * policy is touched.
 * @throws {CliError} when the service says no.
 */
export async function syncPolicies(root: ApiClient, wanted: readonly PolicyDocument[], nowMs: number): Promise<void> {
  const { policies: stored } = await root.query<{ policies: Policy[] }>('list_policies')
  const missing = wanted.filter((policy) => find(stored, policy) === undefined)
  if (missing.length > 0) {
    const policies = missing.map((policy) => ({ ...policy, notes: policy.notes ?? '' }))
    await root.submit('ACTIVITY_TYPE_CREATE_POLICIES', { policies }, nowMs)
  }
  for (const policy of wanted) {
    const known = find(stored, policy)
    if (known !== undefined && !isSame(known, policy)) await update(root, known.policyId, policy, nowMs)
  }
}

function find(stored: readonly Policy[], { policyName, consensus = '' }: PolicyDocument): Policy | undefined {
  return stored.find((each) => each.policyName === policyName && each.consensus === consensus)
}

function isSame(stored: Policy, { effect, condition = '', time = '', notes = '' }: PolicyDocument): boolean {
  return stored.effect === effect && stored.condition === condition && stored.time === time && stored.notes === notes
}

async function update(root: ApiClient, policyId: string, policy: PolicyDocument, nowMs: number): Promise<void> {
  const { effect: policyEffect, condition: policyCondition = '', time = '', notes: policyNotes = '' } = policy
  const parameters = { policyId, policyEffect, policyCondition, time, policyNotes }
  await root.submit('ACTIVITY_TYPE_UPDATE_POLICY_V2', parameters, nowMs)
}

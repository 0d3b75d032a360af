/** The decision alone, for whoever wants to know what would happen: no stamp, nothing executed, nothing sealed. */
import { compilePolicy } from '../../policies/policy.ts'
import { POLICIES_LENGTH_MAX } from '../protocol/limits.ts'
import type { PolicyText, Simulation } from '../protocol/messages.ts'
import { isExpired, type Credential, type OrganizationRecord } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { judgeActivity } from './judge-activity.ts'
import { refuseFaults } from './new-policies.ts'
import { expressionsLength } from './next-record.ts'
import { readOrganization, refuseDeleted } from './organization.ts'
import { isCarried, planActivity } from './plan-activity.ts'
import { userOfId } from './record-parts.ts'
import { readActivity, readBody } from './stamped-body.ts'
import type { SimulationRequest, Subject } from './wit-types.ts'

/** @returns JSON of `Simulation`. @throws {RefusalError} as the activity itself would be refused, and for bad policies. */
export function simulate(request: SimulationRequest): string {
  const organization = readOrganization(request)
  refuseDeleted(organization)
  const nowMs = Number(request.nowMs)
  const activity = readActivity(readBody(request.body, organization))
  if (!isCarried(activity)) throw new RefusalError('PARAMETERS_INVALID', 'a vote cannot be simulated', 'body')
  const voters = request.subjects.map((subject, i) => credentialOf(subject, `subjects.${i}`, organization, nowMs))
  const userId = voters[0]?.user.userId ?? ''
  const plan = planActivity(activity, request, userId, organization, request)
  const candidates = candidatesOf(request)
  const judged = judgeActivity({ activity, plan, organization, voters, nowMs, ...(candidates && { candidates }) })
  const simulation: Simulation = {
    outcome: judged.outcome,
    policyEvaluations: judged.evaluations,
    voterIds: judged.voterIds,
    organizationVersion: organization.version,
  }
  return JSON.stringify(simulation)
}

function credentialOf(
  { userId, publicKey }: Subject,
  field: string,
  organization: OrganizationRecord,
  nowMs: number,
): Credential {
  const user = userOfId(organization, userId, `${field}.userId`)
  // QuickJS hands an absent option over as null.
  const named = publicKey ?? undefined
  const apiKey = user.apiKeys.find((each) => (named === undefined ? !isExpired(each, nowMs) : each.publicKey === named))
  if (apiKey !== undefined) return { user, apiKey }
  throw new RefusalError('API_KEY_NOT_FOUND', 'the user has no such API key', `${field}.publicKey`)
}

function candidatesOf({ candidatePolicies }: SimulationRequest) {
  if (candidatePolicies === null || candidatePolicies === undefined) return undefined
  const policies = JSON.parse(candidatePolicies) as PolicyText[]
  if (expressionsLength(policies) > POLICIES_LENGTH_MAX) {
    throw new RefusalError(
      'LIMIT_REACHED',
      `at most ${POLICIES_LENGTH_MAX} characters of all policies`,
      'candidatePolicies',
    )
  }
  return policies.map((policy, i) => {
    refuseFaults(policy, (name) => `candidatePolicies.${i}.${name}`)
    return compilePolicy(policy)
  })
}

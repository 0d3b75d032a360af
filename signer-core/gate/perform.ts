/** One activity, the whole decision in order: parse, identify, plan, decide, evaluate, re-check, execute, sign the receipt. */
import { decide } from '../../policies/decide.ts'
import { activityTypes, isActivityTypeName, type ActivityTypeName } from '../protocol/activity-types.ts'
import { findCredential, isExpired, type Credential, type OrganizationRecord } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { parse, type Schema, type TypeOf } from '../protocol/schema.ts'
import { isStampScheme } from '../protocol/stamp.ts'
import { JsonError, parseStrictJson } from '../protocol/strict-json.ts'
import { submitBodySchema } from '../protocol/submit-body.ts'
import { makeEvaluation, recheckEvaluation } from './evaluation.ts'
import { operations } from './activities/index.ts'
import { readOrganization } from './organization.ts'
import type { Operation, Plan } from './operation.ts'
import { withReceipt, type Decided } from './receipt.ts'
import type { GateOutcome, GateRequest } from './wit-types.ts'

export function perform(request: GateRequest): GateOutcome {
  const body = readParsed(submitBodySchema, parseBody(request.body), 'BODY_INVALID')
  const organization = readOrganization(request)
  if (body.organizationId !== organization.organizationId) {
    throw new RefusalError('ORGANIZATION_MISMATCH', 'the body names another organization', 'organizationId')
  }
  if (request.votes.length > 0 || (request.target ?? undefined) !== undefined) {
    throw new RefusalError('VOTE_REFUSED', 'votes are not counted yet')
  }
  const { user } = identify(request, organization)
  // Whoever is not known gets no receipt: the log of an organization is its users' own.
  return withReceipt(request, organization.organizationId, () => execute(body, request, organization, user.userId))
}

function execute(
  body: TypeOf<typeof submitBodySchema>,
  request: GateRequest,
  organization: OrganizationRecord,
  userId: string,
): Decided {
  const plan = planActivity(body.type, body.parameters, request, organization, userId)
  decideOrRefuse(userId, organization)
  const facts = {
    activityId: request.activityId,
    bodyDigest: request.bodyDigest,
    commitment: plan.commitment,
    organizationId: organization.organizationId,
    organizationVersion: organization.version,
    policyEvaluations: [],
  }
  const evaluation = request.evaluation ?? makeEvaluation(facts)
  recheckEvaluation(evaluation, facts)
  const { result, newKeys = [], newWallets = [], changes = [], importTarget } = plan.execute()
  return {
    status: 'COMPLETED',
    result: JSON.stringify(result),
    evaluation,
    newKeys,
    newWallets,
    changes: JSON.stringify(changes),
    importTarget,
    organization: undefined,
    newOrganization: undefined,
    organizationVersion: organization.version,
  }
}

function parseBody(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    if (error instanceof JsonError) throw new RefusalError('BODY_INVALID', 'bad request body')
    throw error
  }
}

function readParsed<T>(schema: Schema<T>, value: unknown, code: 'BODY_INVALID' | 'PARAMETERS_INVALID', at = ''): T {
  const parsed = parse(schema, value, at)
  if (parsed.ok) return parsed.value
  const [first] = parsed.violations
  throw new RefusalError(code, first?.description ?? 'bad request body', first?.field)
}

/** The host has seen the key prove itself; whether it speaks for anybody is decided here. */
function identify(request: GateRequest, organization: OrganizationRecord): Credential {
  const { stampScheme: scheme, stampPublicKey: publicKey } = request
  const credential = isStampScheme(scheme) ? findCredential(organization, { scheme, publicKey }) : undefined
  if (credential === undefined) {
    throw new RefusalError('API_KEY_UNKNOWN', 'could not find public key in organization or its parent organization')
  }
  if (isExpired(credential.apiKey, Number(request.nowMs))) throw new RefusalError('API_KEY_EXPIRED', 'expired api key')
  return credential
}

function planActivity(
  type: string,
  parameters: unknown,
  request: GateRequest,
  organization: OrganizationRecord,
  userId: string,
): Plan {
  if (!isActivityTypeName(type)) throw new RefusalError('ACTIVITY_TYPE_UNKNOWN', 'unknown activity type', 'type')
  const read = readParsed(
    activityTypes[type].parameters as Schema<unknown>,
    parameters,
    'PARAMETERS_INVALID',
    'parameters',
  )
  const operation = operations[type satisfies ActivityTypeName] as Operation<unknown>
  return operation.plan(read, {
    organizationId: organization.organizationId,
    activityId: request.activityId,
    bodyDigest: request.bodyDigest,
    keys: request.keys,
    wallets: request.wallets,
    exportedIds: request.exportedIds,
    userId,
    // QuickJS hands an absent option over as null.
    importTarget: request.importTarget ?? undefined,
  })
}

function decideOrRefuse(userId: string, { rootQuorum }: OrganizationRecord): void {
  const decision = decide({ approverIds: [userId], rootQuorum })
  if (decision.outcome === 'allow') return
  throw new RefusalError('REQUEST_NOT_AUTHORIZED', 'No policies evaluated to outcome: Allow; request not authorized')
}

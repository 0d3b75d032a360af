/** The decision on a planned activity: from what the gate knows to the facts of policies, and to what follows. */
import type { Votes } from '../../policies/consensus.ts'
import { decideOnActivity, type Decision, type DecisionRequest } from '../../policies/decision.ts'
import { isRootQuorumOnly } from '../../policies/facts/activity.ts'
import {
  approverFacts,
  conditionFacts,
  credentialFacts,
  type ActivitySubject,
} from '../../policies/facts/condition-facts.ts'
import type { Struct } from '../../policies/language/values.ts'
import type { CompiledPolicy } from '../../policies/policy.ts'
import { voicesThatCount } from '../../policies/voices.ts'
import { apiKeyCurves } from '../protocol/api-keys.ts'
import {
  isExpired,
  type ApiKey,
  type Credential,
  type OrganizationRecord,
  type User,
} from '../protocol/organization-record.ts'
import type { JsonObject } from '../protocol/strict-json.ts'
import { compiledPolicies } from './compiled-policies.ts'
import { certificateOf } from './key-certificate.ts'
import type { Plan, Subject } from './operation.ts'
import type { CarriedActivity } from './plan-activity.ts'
import type { KeyRecord } from './wit-types.ts'

export interface Case {
  activity: CarriedActivity
  plan: Plan
  organization: OrganizationRecord
  /** With whose credentials it is approved; the submitter's first. */
  voters: readonly Credential[]
  nowMs: number
  /** Whose voice counts is to be said even when nothing waits. */
  voices?: boolean
  /** Other policies than the organization's. */
  candidates?: readonly CompiledPolicy[]
}

export interface Judgement extends Decision {
  /** While it waits, or when it was asked for: users whose voice counts. */
  voterIds: string[]
}

export function judgeActivity(each: Case): Judgement {
  const policies = each.candidates ?? compiledPolicies(each.organization)
  const request = requestOf(each)
  const decision = decideOnActivity(policies, request)
  const isAsked = decision.outcome === 'OUTCOME_REQUIRES_CONSENSUS' || each.voices === true
  return { ...decision, voterIds: isAsked ? voicesThatCount(policies, request) : [] }
}

function requestOf({ activity, plan, organization, voters, nowMs }: Case): DecisionRequest {
  const { type, parameters } = activity
  const subject: ActivitySubject = {
    type,
    // Its own schema has read it from JSON.
    parameters: parameters as JsonObject,
    ...(plan.facts && { payloads: plan.facts }),
  }
  return {
    facts: () => conditionFacts({ ...subject, ...subjectFacts(plan.subject ?? {}, organization) }),
    votes: votesOf(voters, knownApprover, knownCredential),
    others: once(() => votesOf(otherVoters(voters, organization, nowMs))),
    rootQuorum: organization.rootQuorum,
    rootQuorumOnly: isRootQuorumOnly(type),
    implied: plan.implied === true,
    nowMs,
  }
}

/** Every policy that waits asks anew. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** What is neither sealed nor notarized is left out: a policy that asks for it errs. */
function subjectFacts({ key, walletId, walletIds }: Subject, organization: OrganizationRecord) {
  return {
    ...(key && keyFacts(key, organization)),
    ...(walletId !== undefined && { wallet: { id: walletId } }),
    ...(walletIds && { wallets: walletIds.map((id) => ({ id })) }),
  }
}

function keyFacts(
  key: KeyRecord,
  { organizationId, privateKeyTags }: OrganizationRecord,
): Pick<ActivitySubject, 'private_key' | 'wallet' | 'wallet_account'> {
  const certificate = certificateOf(key, organizationId)
  if (certificate === undefined) return {}
  const { kind, label = '', imported = false, walletId = '', address = '' } = certificate
  if (kind === 'walletAccount') return { wallet: { id: walletId }, wallet_account: { address } }
  const tags = privateKeyTags.filter(({ privateKeyIds }) => privateKeyIds.includes(key.keyId))
  return { private_key: { id: key.keyId, tags: tags.map(({ tagId }) => tagId), imported, label } }
}

function otherVoters(
  voters: readonly Credential[],
  { users }: OrganizationRecord,
  nowMs: number,
): { user: User; apiKey: ApiKey }[] {
  const others = users.filter((user) => !voters.some((voter) => voter.user.userId === user.userId))
  return others.flatMap((user) =>
    user.apiKeys.filter((apiKey) => !isExpired(apiKey, nowMs)).map((apiKey) => ({ user, apiKey })),
  )
}

function votesOf(voters: readonly Credential[], approverOf = readApprover, credentialOf = readCredential): Votes {
  const users = [...new Set(voters.map(({ user }) => user))]
  return { approvers: users.map(approverOf), credentials: voters.map(credentialOf) }
}

/** A user without an e-mail address has an empty one, so that a rule about addresses is no error for all. */
function readApprover({ userId, userTags, userEmail = '', userName }: User): Struct {
  return approverFacts({ id: userId, tags: userTags, email: userEmail, alias: userName })
}

function readCredential({ user, apiKey }: Credential): Struct {
  return credentialFacts({
    id: apiKey.apiKeyId,
    user_id: user.userId,
    type: apiKeyCurves[apiKey.curveType].credentialType,
    public_key: apiKey.publicKey,
  })
}

/** Of those who act, for as long as their record is kept; nothing in a record ever changes. */
const approversKnown = new WeakMap<User, Struct>()
const credentialsKnown = new WeakMap<ApiKey, Struct>()

function knownApprover(user: User): Struct {
  return known(approversKnown, user, () => readApprover(user))
}

function knownCredential(credential: Credential): Struct {
  return known(credentialsKnown, credential.apiKey, () => readCredential(credential))
}

function known<K extends WeakKey>(kept: WeakMap<K, Struct>, key: K, read: () => Struct): Struct {
  const facts = kept.get(key) ?? read()
  kept.set(key, facts)
  return facts
}

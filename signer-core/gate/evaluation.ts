/**
 * The evaluation binds a decision to what was decided upon: this activity, these body bytes, this commitment, this
 * version of the organization. It may travel through the gateway; execution believes it only under the engine's seal.
 */
import { digest, isNotarized, notarize } from 'keystead:engine/engine@0.1.0'
import { bytesToHex, utf8ToBytes } from '../protocol/bytes.ts'
import type { EvaluationText, PolicyEvaluation } from '../protocol/messages.ts'
import { RefusalError } from '../protocol/refusals.ts'
import type { JsonObject } from '../protocol/strict-json.ts'
import type { Notarized } from './wit-types.ts'

export interface EvaluationFacts {
  outcome: string
  activityId: string
  bodyDigest: Uint8Array
  commitment: JsonObject
  organizationId: string
  organizationVersion: number
  policyEvaluations: PolicyEvaluation[]
  voteIds: string[]
  voterIds: string[]
  targetId?: string
}

/** An evaluation that this very call has made. */
export interface Evaluated {
  evaluation: Notarized
  /** SHA-256 of its text. */
  evaluationDigest: Uint8Array
  /** The commitment that it covers. */
  commitmentText: string
}

/** Format 2. Member order is fixed: the digest of the whole text is in the receipt. */
function evaluationText(facts: EvaluationFacts, commitmentText: string): string {
  const text: EvaluationText = {
    format: 2,
    outcome: facts.outcome,
    activityId: facts.activityId,
    bodyDigest: bytesToHex(facts.bodyDigest),
    commitmentDigest: bytesToHex(digest('sha256', utf8ToBytes(commitmentText))),
    organizationId: facts.organizationId,
    organizationVersion: facts.organizationVersion,
    policyEvaluations: facts.policyEvaluations,
    voteIds: facts.voteIds,
    voterIds: facts.voterIds,
    ...(facts.targetId !== undefined && { targetId: facts.targetId }),
  }
  return JSON.stringify(text)
}

export function makeEvaluation(facts: EvaluationFacts): Evaluated {
  const commitmentText = JSON.stringify(facts.commitment)
  const text = evaluationText(facts, commitmentText)
  const bytes = utf8ToBytes(text)
  const evaluation = { text, seal: notarize('evaluation', bytes) }
  return { evaluation, evaluationDigest: digest('sha256', bytes), commitmentText }
}

/**
 * The last check before an effect: what will be done is, letter for letter, what was evaluated. The seal needs none: this
 * call has just made it, and nothing of it has left the component since; one that has is `recheckStored`'s.
 *
 * @param commitment As it is now.
 * @throws {RefusalError} `SIGNER_REQUEST_MISMATCH`.
 */
export function recheckEvaluated({ commitmentText }: Evaluated, commitment: JsonObject): void {
  if (JSON.stringify(commitment) !== commitmentText) throw mismatch()
}

/**
 * An activity that has waited is still the same one. The organization may have changed meanwhile, but not back.
 * @throws {RefusalError} `SIGNER_REQUEST_MISMATCH`, `ORGANIZATION_RECORD_OUTDATED`.
 */
export function recheckStored(evaluation: Notarized, facts: EvaluationFacts): void {
  const stored = readOwn(evaluation)
  const now = JSON.parse(evaluationText(facts, JSON.stringify(facts.commitment))) as EvaluationText
  const members = ['activityId', 'bodyDigest', 'commitmentDigest', 'organizationId', 'targetId'] as const
  if (stored === undefined || members.some((member) => stored[member] !== now[member])) throw mismatch()
  if (stored.organizationVersion <= now.organizationVersion) return
  throw new RefusalError('ORGANIZATION_RECORD_OUTDATED', 'an older organization record than the signer has seen')
}

/** What an evaluation of the signer's own says; undefined for any other text. */
export function readOwn(evaluation: Notarized): EvaluationText | undefined {
  return isOwn(evaluation) ? (JSON.parse(evaluation.text) as EvaluationText) : undefined
}

function isOwn({ text, seal }: Notarized): boolean {
  return text.isWellFormed() && isNotarized('evaluation', utf8ToBytes(text), seal)
}

function mismatch(): RefusalError {
  return new RefusalError('SIGNER_REQUEST_MISMATCH', 'what would be done is not what the policy evaluated')
}

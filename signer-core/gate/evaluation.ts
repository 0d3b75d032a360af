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

/** Format 2. Member order is fixed: the comparison is of the whole text. */
function evaluationText(facts: EvaluationFacts): string {
  const text: EvaluationText = {
    format: 2,
    outcome: facts.outcome,
    activityId: facts.activityId,
    bodyDigest: bytesToHex(facts.bodyDigest),
    commitmentDigest: bytesToHex(digest('sha256', utf8ToBytes(JSON.stringify(facts.commitment)))),
    organizationId: facts.organizationId,
    organizationVersion: facts.organizationVersion,
    policyEvaluations: facts.policyEvaluations,
    voteIds: facts.voteIds,
    voterIds: facts.voterIds,
    ...(facts.targetId !== undefined && { targetId: facts.targetId }),
  }
  return JSON.stringify(text)
}

export function makeEvaluation(facts: EvaluationFacts): Notarized {
  const text = evaluationText(facts)
  return { text, seal: notarize('evaluation', utf8ToBytes(text)) }
}

/**
 * The last check before an effect: the evaluation is the signer's own and was made for exactly this.
 * @throws {RefusalError} `SIGNER_REQUEST_MISMATCH`.
 */
export function recheckEvaluation(evaluation: Notarized, facts: EvaluationFacts): void {
  if (isOwn(evaluation) && evaluation.text === evaluationText(facts)) return
  throw mismatch()
}

/**
 * An activity that has waited is still the same one. The organization may have changed meanwhile, but not back.
 * @throws {RefusalError} `SIGNER_REQUEST_MISMATCH`, `ORGANIZATION_RECORD_OUTDATED`.
 */
export function recheckStored(evaluation: Notarized, facts: EvaluationFacts): void {
  const stored = readOwn(evaluation)
  const now = JSON.parse(evaluationText(facts)) as EvaluationText
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

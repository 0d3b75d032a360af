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

/** Format 2. Member order is fixed: the comparison is of the whole text. */
interface EvaluationFacts {
  activityId: string
  bodyDigest: Uint8Array
  commitment: JsonObject
  organizationId: string
  organizationVersion: number
  policyEvaluations: PolicyEvaluation[]
}

function evaluationText(facts: EvaluationFacts): string {
  const text: EvaluationText = {
    format: 2,
    outcome: 'OUTCOME_ALLOW',
    activityId: facts.activityId,
    bodyDigest: bytesToHex(facts.bodyDigest),
    commitmentDigest: bytesToHex(digest('sha256', utf8ToBytes(JSON.stringify(facts.commitment)))),
    organizationId: facts.organizationId,
    organizationVersion: facts.organizationVersion,
    policyEvaluations: facts.policyEvaluations,
    voteIds: [],
    voterIds: [],
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
  const own = evaluation.text.isWellFormed() && isNotarized('evaluation', utf8ToBytes(evaluation.text), evaluation.seal)
  if (own && evaluation.text === evaluationText(facts)) return
  throw new RefusalError('SIGNER_REQUEST_MISMATCH', 'what would be done is not what the policy evaluated')
}

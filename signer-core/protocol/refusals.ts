/**
 * Why the signer says no. Codes are never reused and never reworded; messages name no input.
 *
 * `request`: the caller is to blame and nothing began. `denied`: the rules said no. `execution`: something that
 * the signer was given is not what it should be, and the activity cannot end well.
 */
import type { PolicyEvaluation, Receipt } from './messages.ts'

export const refusalKinds = {
  BODY_INVALID: 'request',
  /** The gateway has seen this stamp prove itself, so these are not the stamp and the bytes that came in. */
  STAMP_INVALID: 'execution',
  API_KEY_UNKNOWN: 'request',
  API_KEY_EXPIRED: 'request',
  ORGANIZATION_MISMATCH: 'request',
  ACTIVITY_TYPE_UNKNOWN: 'request',
  /** Known to clients, but it cannot be carried here; the message says why. */
  ACTIVITY_TYPE_UNSUPPORTED: 'request',
  PARAMETERS_INVALID: 'request',
  KEY_NOT_FOUND: 'request',
  WALLET_NOT_FOUND: 'request',
  USER_NOT_FOUND: 'request',
  API_KEY_NOT_FOUND: 'request',
  POLICY_NOT_FOUND: 'request',
  TAG_NOT_FOUND: 'request',
  /** Of a vote: nothing waits under this fingerprint. Said by the gateway, too. */
  ACTIVITY_NOT_FOUND: 'request',
  ORGANIZATION_DELETED: 'request',
  /** As many users, policies, keys or tags as there may be, or the record would be too long. */
  LIMIT_REACHED: 'request',
  /** `field` and the message say where, with line and column. */
  POLICY_INVALID: 'request',
  /** Another credential of the organization has this public key. */
  PUBLIC_KEY_TAKEN: 'request',
  /** It names nobody, counts more than there are, or a member of it would be gone. */
  ROOT_QUORUM_INVALID: 'request',
  /** Said by the gateway: another activity has taken the path, or is about to. */
  WALLET_PATH_TAKEN: 'request',
  NEVER_EXPORTED: 'request',
  WALLET_ACCOUNT_NOT_EXPORTED: 'request',
  TRANSACTION_TYPE_UNSUPPORTED: 'request',
  TRANSACTION_INVALID: 'request',
  TARGET_KEY_INVALID: 'request',
  BUNDLE_INVALID: 'request',
  REQUEST_NOT_AUTHORIZED: 'denied',
  /** Neither a consensus nor the root quorum asks for this user. */
  VOTE_NOT_AUTHORIZED: 'denied',
  /** One voice per user; the submitter's approval is the activity itself. */
  VOTED_ALREADY: 'request',
  /** Stamped more than a day ago, or in the future. */
  VOTE_LAPSED: 'request',
  /** A vote that was brought along is none on this activity. */
  VOTE_REFUSED: 'execution',
  SIGNER_REQUEST_MISMATCH: 'execution',
  SEALED_KEY_REFUSED: 'execution',
  ORGANIZATION_RECORD_REFUSED: 'execution',
  ORGANIZATION_RECORD_OUTDATED: 'execution',
  /** Another record of a version that the signer has seen. */
  ORGANIZATION_FORKED: 'execution',
  /** Said by the gateway: hosts that tried were lost or killed at their deadline, so no result can come any more. */
  SIGNER_GAVE_UP: 'execution',
  ORGANIZATION_EXISTS: 'request',
} as const satisfies Record<string, 'request' | 'denied' | 'execution'>

export type RefusalCode = keyof typeof refusalKinds

export interface Refusal {
  code: RefusalCode
  /** Safe to show: from a fixed list, without any part of the input. */
  message: string
  /** Dotted path of the member to blame, or empty. */
  field: string
  /** Of `denied`: what each policy said, when they were asked. */
  policyEvaluations?: PolicyEvaluation[]
  /** Of a signer's refusal once the caller was known. */
  receipt?: Receipt
}

export function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(refusalKinds, code)
}

/** A refusal on its way out. Any other exception is a bug. */
export class RefusalError extends Error {
  override name = 'RefusalError'
  readonly refusal: Refusal
  constructor(code: RefusalCode, message: string, field = '', policyEvaluations?: PolicyEvaluation[]) {
    super(code)
    this.refusal = { code, message, field, ...(policyEvaluations && { policyEvaluations }) }
  }
}

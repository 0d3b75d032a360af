/**
 * Every error that can leave the gateway: name on the wire, HTTP status, gRPC code, text. One table; the text comes
 * from here or from the signer's fixed list, never from the input.
 */
import type { PolicyEvaluation } from '../../signer-core/protocol/messages.ts'
import type { Violation } from '../../signer-core/protocol/schema.ts'
import type { Refusal, RefusalCode } from '../../signer-core/protocol/refusals.ts'

interface ErrorRow {
  status: number
  /** google.rpc.Code, the number that clients show. */
  grpc: number
  text: string
  /** Name on the wire where ours is finer. */
  wire?: string
}

export const apiErrors = {
  SIGNATURE_MISSING: { status: 401, grpc: 16, text: 'no valid authentication signature found for request' },
  STAMP_MALFORMED: { status: 401, grpc: 16, text: 'malformed activity stamp', wire: 'SIGNATURE_INVALID' },
  SIGNATURE_INVALID: { status: 401, grpc: 16, text: 'could not verify api key signature' },
  PUBLIC_KEY_NOT_FOUND: {
    status: 401,
    grpc: 16,
    text: 'could not find public key in organization or its parent organization',
  },
  // Word for word what @turnkey/core looks for to tell that a session is over.
  API_KEY_EXPIRED: { status: 401, grpc: 16, text: 'Unauthenticated desc = expired api key publicKey' },
  INVALID_ORGANIZATION_ID: { status: 400, grpc: 3, text: 'malformed organization ID provided' },
  ORGANIZATION_NOT_FOUND: { status: 404, grpc: 5, text: 'no organization found with the given ID' },
  ORGANIZATION_MISMATCH: { status: 400, grpc: 3, text: 'the body names another organization' },
  BODY_INVALID: { status: 400, grpc: 3, text: 'bad request body', wire: 'REQUEST_INVALID' },
  REQUEST_INVALID: { status: 400, grpc: 3, text: 'bad request' },
  UNSUPPORTED_TRANSACTION_TYPE: { status: 400, grpc: 3, text: 'unsupported transaction type' },
  INVALID_TRANSACTION: { status: 400, grpc: 3, text: 'failed to parse transaction' },
  ACTIVITY_TYPE_INVALID: { status: 400, grpc: 3, text: 'activity type does not belong here', wire: 'REQUEST_INVALID' },
  TIMESTAMP_INVALID: { status: 400, grpc: 3, text: 'timestampMs outside the accepted window', wire: 'INVALID_TIME' },
  RESOURCE_NOT_FOUND: { status: 404, grpc: 5, text: 'not found' },
  NEVER_EXPORTED: { status: 400, grpc: 9, text: 'never exported', wire: 'REQUEST_INVALID' },
  WALLET_ACCOUNT_NOT_EXPORTED: { status: 400, grpc: 9, text: 'never exported' },
  ROUTE_NOT_FOUND: { status: 404, grpc: 5, text: 'no such route', wire: 'RESOURCE_NOT_FOUND' },
  REQUEST_MALFORMED: { status: 400, grpc: 3, text: 'malformed HTTP request', wire: 'REQUEST_INVALID' },
  BODY_INCOMPLETE: { status: 400, grpc: 3, text: 'request body incomplete', wire: 'REQUEST_INVALID' },
  REQUEST_TIMEOUT: { status: 408, grpc: 4, text: 'request took too long to arrive', wire: 'REQUEST_INVALID' },
  HEADERS_TOO_LARGE: { status: 431, grpc: 3, text: 'request headers too large', wire: 'REQUEST_INVALID' },
  METHOD_NOT_ALLOWED: { status: 405, grpc: 12, text: 'method not allowed' },
  BODY_TOO_LARGE: { status: 413, grpc: 3, text: 'request body too large', wire: 'REQUEST_INVALID' },
  CONTENT_ENCODING_UNSUPPORTED: {
    status: 415,
    grpc: 3,
    text: 'content encodings are not supported',
    wire: 'REQUEST_INVALID',
  },
  REQUEST_NOT_AUTHORIZED: { status: 403, grpc: 7, text: 'request not authorized' },
  OVERLOADED: { status: 503, grpc: 14, text: 'too many activities under way, try again', wire: 'UNAVAILABLE' },
  UNAVAILABLE: { status: 503, grpc: 14, text: 'temporarily unavailable, try again' },
  INTERNAL: { status: 500, grpc: 13, text: 'internal server error' },
} as const satisfies Record<string, ErrorRow>

export type ApiErrorCode = keyof typeof apiErrors

/** What the signer's refusals are called over HTTP, when nothing had begun. */
const codeOfRefusal: Record<RefusalCode, ApiErrorCode> = {
  BODY_INVALID: 'BODY_INVALID',
  API_KEY_UNKNOWN: 'PUBLIC_KEY_NOT_FOUND',
  API_KEY_EXPIRED: 'API_KEY_EXPIRED',
  ORGANIZATION_MISMATCH: 'ORGANIZATION_MISMATCH',
  ACTIVITY_TYPE_UNKNOWN: 'ACTIVITY_TYPE_INVALID',
  ACTIVITY_TYPE_UNSUPPORTED: 'ACTIVITY_TYPE_INVALID',
  PARAMETERS_INVALID: 'REQUEST_INVALID',
  KEY_NOT_FOUND: 'RESOURCE_NOT_FOUND',
  WALLET_NOT_FOUND: 'RESOURCE_NOT_FOUND',
  USER_NOT_FOUND: 'RESOURCE_NOT_FOUND',
  API_KEY_NOT_FOUND: 'RESOURCE_NOT_FOUND',
  POLICY_NOT_FOUND: 'RESOURCE_NOT_FOUND',
  TAG_NOT_FOUND: 'RESOURCE_NOT_FOUND',
  ACTIVITY_NOT_FOUND: 'RESOURCE_NOT_FOUND',
  ORGANIZATION_DELETED: 'ORGANIZATION_NOT_FOUND',
  LIMIT_REACHED: 'REQUEST_INVALID',
  POLICY_INVALID: 'REQUEST_INVALID',
  PUBLIC_KEY_TAKEN: 'REQUEST_INVALID',
  ROOT_QUORUM_INVALID: 'REQUEST_INVALID',
  WALLET_PATH_TAKEN: 'REQUEST_INVALID',
  NEVER_EXPORTED: 'NEVER_EXPORTED',
  WALLET_ACCOUNT_NOT_EXPORTED: 'WALLET_ACCOUNT_NOT_EXPORTED',
  TRANSACTION_TYPE_UNSUPPORTED: 'UNSUPPORTED_TRANSACTION_TYPE',
  TRANSACTION_INVALID: 'INVALID_TRANSACTION',
  TARGET_KEY_INVALID: 'REQUEST_INVALID',
  BUNDLE_INVALID: 'REQUEST_INVALID',
  REQUEST_NOT_AUTHORIZED: 'REQUEST_NOT_AUTHORIZED',
  VOTE_NOT_AUTHORIZED: 'REQUEST_NOT_AUTHORIZED',
  VOTED_ALREADY: 'REQUEST_INVALID',
  VOTE_LAPSED: 'REQUEST_INVALID',
  ORGANIZATION_EXISTS: 'REQUEST_INVALID',
  // These end an activity as FAILED; as an HTTP error they would be a bug.
  STAMP_INVALID: 'INTERNAL',
  SIGNER_REQUEST_MISMATCH: 'INTERNAL',
  SEALED_KEY_REFUSED: 'INTERNAL',
  ORGANIZATION_RECORD_REFUSED: 'INTERNAL',
  ORGANIZATION_RECORD_OUTDATED: 'INTERNAL',
  ORGANIZATION_FORKED: 'INTERNAL',
  VOTE_REFUSED: 'INTERNAL',
  SIGNER_GAVE_UP: 'INTERNAL',
}

export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ApiErrorCode
  readonly violations: Violation[]
  /** Of a denial: what each policy said. */
  readonly policyEvaluations: PolicyEvaluation[]
  /** @param text Replaces the table's text; from a fixed list, never from the input. */
  constructor(
    code: ApiErrorCode,
    text?: string,
    violations: Violation[] = [],
    policyEvaluations: PolicyEvaluation[] = [],
  ) {
    super(text ?? apiErrors[code].text)
    this.code = code
    this.violations = violations
    this.policyEvaluations = policyEvaluations
  }

  /** HTTP. */
  get status(): number {
    return apiErrors[this.code].status
  }

  static ofViolations(violations: Violation[]): ApiError {
    return new ApiError('REQUEST_INVALID', violations[0]?.description, violations)
  }

  static ofRefusal({ code, message, field, policyEvaluations }: Refusal): ApiError {
    const violations = field === '' ? [] : [{ field, description: message }]
    return new ApiError(codeOfRefusal[code], message, violations, policyEvaluations)
  }
}

/** The body of an error, in the shape that real clients parse. */
export function presentError({ code, message, violations, policyEvaluations }: ApiError): object {
  const { grpc, wire = code }: ErrorRow = apiErrors[code]
  const turnkeyErrorCode = wire
  const details: object[] = [{ '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode }]
  if (violations.length > 0) {
    details.push({ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations })
  }
  if (code === 'REQUEST_NOT_AUTHORIZED') {
    details.push({ '@type': 'type.googleapis.com/errors.v1.PolicyEnginePermissionError', message, policyEvaluations })
  }
  return { code: grpc, message, details, turnkeyErrorCode }
}

/**
 * Why the signer says no. Codes are never reused and never reworded; messages name no input.
 *
 * `request`: the caller is to blame and nothing began. `denied`: the rules said no. `execution`: something that
 * the signer was given is not what it should be, and the activity cannot end well.
 */
import type { Receipt } from './messages.ts'

export const refusalKinds = {
  BODY_INVALID: 'request',
  /** The gateway has seen this stamp prove itself, so these are not the stamp and the bytes that came in. */
  STAMP_INVALID: 'execution',
  API_KEY_UNKNOWN: 'request',
  API_KEY_EXPIRED: 'request',
  ORGANIZATION_MISMATCH: 'request',
  ACTIVITY_TYPE_UNKNOWN: 'request',
  PARAMETERS_INVALID: 'request',
  KEY_NOT_FOUND: 'request',
  WALLET_NOT_FOUND: 'request',
  /** Said by the gateway: another activity has taken the path, or is about to. */
  WALLET_PATH_TAKEN: 'request',
  NEVER_EXPORTED: 'request',
  WALLET_ACCOUNT_NOT_EXPORTED: 'request',
  TRANSACTION_TYPE_UNSUPPORTED: 'request',
  TRANSACTION_INVALID: 'request',
  TARGET_KEY_INVALID: 'request',
  BUNDLE_INVALID: 'request',
  REQUEST_NOT_AUTHORIZED: 'denied',
  SIGNER_REQUEST_MISMATCH: 'execution',
  SEALED_KEY_REFUSED: 'execution',
  ORGANIZATION_RECORD_REFUSED: 'execution',
  ORGANIZATION_RECORD_OUTDATED: 'execution',
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
  constructor(code: RefusalCode, message: string, field = '') {
    super(code)
    this.refusal = { code, message, field }
  }
}

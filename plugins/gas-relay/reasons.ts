/** Every no of the relay: name on the wire, HTTP status, gRPC code, text. No other word leaves it as a reason. */

interface ReasonRow {
  readonly status: number
  /** google.rpc.Code. */
  readonly grpc: number
  readonly text: string
}

export const reasons = {
  relay_invalid_request: { status: 400, grpc: 3, text: 'bad request' },
  relay_insufficient_balance: { status: 400, grpc: 9, text: 'the gas tank holds too little for this transaction' },
  relay_transaction_not_found: { status: 404, grpc: 5, text: 'no such relay transaction' },
  relay_authority_busy: { status: 409, grpc: 10, text: 'another transaction of this account is under way' },
  relay_reference_conflict: { status: 409, grpc: 6, text: 'the reference stands for another deposit' },
  relay_not_cancellable: { status: 409, grpc: 9, text: 'it is over' },
  relay_chain_not_supported: { status: 422, grpc: 3, text: 'this chain is not served' },
  relay_delegate_not_allowed: { status: 422, grpc: 3, text: 'the delegate is not on the allowlist' },
  relay_not_delegated: { status: 422, grpc: 9, text: 'the account has not delegated, and no authorization was given' },
  relay_authorization_chain_mismatch: { status: 422, grpc: 3, text: 'the authorization is not for this chain alone' },
  relay_authorization_nonce_mismatch: {
    status: 422,
    grpc: 9,
    text: 'the authorization has another nonce than the account',
  },
  relay_authorization_signature_mismatch: { status: 422, grpc: 3, text: 'the account did not sign the authorization' },
  relay_batch_signature_mismatch: { status: 422, grpc: 3, text: 'the account did not sign the batch' },
  relay_batch_nonce_mismatch: { status: 422, grpc: 9, text: 'the batch has another nonce than the account expects' },
  relay_batch_expired: { status: 422, grpc: 9, text: 'too little time is left until the deadline' },
  relay_batch_deadline_too_far: { status: 422, grpc: 3, text: 'the deadline is too far ahead' },
  relay_batch_too_large: { status: 422, grpc: 3, text: 'too many calls, or too much call data' },
  relay_call_not_allowed: { status: 422, grpc: 3, text: 'the batch calls the account itself or the guard' },
  relay_gas_limit_exceeded: { status: 422, grpc: 3, text: 'it needs more gas than is allowed' },
  relay_max_cost_too_low: { status: 422, grpc: 9, text: 'it may cost more than maxCost' },
  relay_gas_token_not_allowed: { status: 422, grpc: 3, text: 'gas cannot be paid in this token' },
  relay_gas_token_underpaid: { status: 422, grpc: 9, text: 'the batch pays too little for its gas' },
  relay_quote_expired: { status: 422, grpc: 9, text: 'the quote is too old, or of no block' },
  relay_window_too_large: { status: 422, grpc: 11, text: 'too many debits to sum up: ask for a shorter time' },
  relay_simulation_reverted: { status: 422, grpc: 9, text: 'the batch would revert' },
  relay_too_many_in_flight: { status: 429, grpc: 8, text: 'too many transactions of this organization are under way' },
  relay_gas_estimate_unavailable: { status: 503, grpc: 14, text: 'the gas could not be estimated' },
  relay_gas_token_rate_unavailable: { status: 503, grpc: 14, text: 'the token has no rate that is fresh' },
  relay_relayer_not_configured: { status: 503, grpc: 14, text: 'the operator has no key that could pay' },
  relay_chain_unavailable: { status: 503, grpc: 14, text: 'the chain cannot be reached' },
} as const satisfies Record<string, ReasonRow>

export type Reason = keyof typeof reasons

/** What is known beside the reason: for simulations the call that reverts, and what it says. */
export interface ReasonFacts {
  readonly callIndex?: number
  /** Hex, cut. */
  readonly revertData?: string
  /** Base units of the token that the batch must pay. */
  readonly neededAmount?: string
  /** Of the first member of the body that is not as it should be. */
  readonly field?: string
}

export class RelayError extends Error {
  override name = 'RelayError'
  readonly reason: Reason
  readonly facts: ReasonFacts
  constructor(reason: Reason, facts: ReasonFacts = {}) {
    super(reasons[reason].text)
    this.reason = reason
    this.facts = facts
  }
}

export function presentError({ reason, facts }: RelayError): object {
  const { grpc, text } = reasons[reason]
  return { code: grpc, message: text, details: [{ reason, ...facts }] }
}

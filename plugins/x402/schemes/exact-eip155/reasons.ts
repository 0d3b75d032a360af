/** The scheme's own reasons, by the names of the x402 facilitator interface. */

export const exactEip155Reasons = {
  invalid_exact_evm_signature: 'signature does not recover to `from`, typically a wrong typed-data domain',
  invalid_exact_evm_recipient_mismatch: 'signed `to` differs from `payTo`',
  invalid_exact_evm_insufficient_value: 'signed `value` is below what is asked for',
  invalid_exact_evm_insufficient_balance: 'balance of the payer does not cover the amount',
  invalid_exact_evm_authorization_expired: 'current time outside validAfter to validBefore',
  invalid_exact_evm_authorization_used: 'nonce already spent on chain',
  // Version 2 only: the reference's word for more than was asked for.
  invalid_exact_evm_payload_authorization_value_mismatch: 'signed `value` is not exactly what is asked for',
} as const satisfies Record<string, string>

export type ExactEip155Reason = keyof typeof exactEip155Reasons

export function refuseExact(code: ExactEip155Reason, message?: string): { code: ExactEip155Reason; message?: string } {
  return message === undefined ? { code } : { code, message }
}

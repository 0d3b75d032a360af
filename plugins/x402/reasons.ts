/**
 * Why a payment is refused, by the names of the x402 facilitator interface. This is the part that holds for every
 * scheme; a scheme states its own reasons beside its checks. No other word leaves the facilitator as a reason.
 */

export interface ReasonRow {
  /** HTTP status of the answer. The SDKs of sellers pass a reason on only when it comes with 200. */
  readonly status: 200 | 429 | 503
  readonly condition: string
}

export const commonReasons = {
  invalid_request: { status: 200, condition: 'malformed body, or the payer missing or not an address' },
  x402_policy_disabled: { status: 200, condition: 'no enabled policy for the chain' },
  x402_asset_not_allowed: { status: 200, condition: 'asset outside the allowlist' },
  x402_payto_not_allowed: { status: 200, condition: 'destination outside the allowlist' },
  x402_amount_below_minimum: { status: 200, condition: 'below the smallest amount of a settlement' },
  x402_amount_exceeds_cap: { status: 200, condition: 'above the largest amount of a settlement' },
  x402_daily_gas_cap_exceeded: { status: 200, condition: 'the budget of 24 hours is spent' },
  x402_monthly_gas_cap_exceeded: { status: 200, condition: 'the budget of 30 days is spent' },
  x402_gas_estimate_unavailable: { status: 200, condition: 'the chain could not say what the transfer costs' },
  x402_settlement_in_flight: { status: 200, condition: 'the same authorization is being settled' },
  x402_relayer_not_configured: { status: 200, condition: 'the operator has no key that could pay for the transfer' },
  x402_rate_limited: { status: 429, condition: 'a rate limit was hit' },
  x402_rate_limit_unavailable: { status: 503, condition: 'the rate limiter could not be asked' },
  // Version 2 only: names that its sellers act on.
  settlement_pending: { status: 200, condition: 'sent and not mined yet; the transaction is named' },
  duplicate_settlement: { status: 200, condition: 'settled before; the transaction is named' },
} as const satisfies Record<string, ReasonRow>

export type CommonReason = keyof typeof commonReasons

/** A no, as a value. `message` is fixed text for people; version 1 has no member for it. */
export interface Refusal {
  readonly code: string
  readonly message?: string
  /** Nobody could say, and asking again may help: neither yes nor no. */
  readonly isUnknown?: true
}

export function refuse(code: CommonReason): Refusal {
  return { code }
}

export function isRefusal(value: object): value is Refusal {
  return 'code' in value
}

/** @param code Of this table or of a scheme's, whose rows are all 200. */
export function statusOf(code: string): number {
  return Object.hasOwn(commonReasons, code) ? commonReasons[code as CommonReason].status : 200
}

/** The operator's rules for one chain, as data. Without an enabled policy everything is refused. */
import type { Authorization } from '../payment.ts'
import { refuse, type Refusal } from '../reasons.ts'

export interface Policy {
  readonly enabled: boolean
  /** Canonical, as the scheme writes them. Undefined: anybody may be paid. */
  readonly payees: ReadonlySet<string> | undefined
  /** Base units of the asset. */
  readonly amountMin: bigint
  readonly amountMax: bigint
}

export function policyOf(settings: {
  policyEnabled: boolean
  payees?: readonly string[] | undefined
  amountMin: bigint
  amountMax: bigint
}): Policy {
  const { policyEnabled: enabled, payees, amountMin, amountMax } = settings
  const allowed = payees && new Set(payees.map((payee) => payee.toLowerCase()))
  return { enabled, payees: allowed, amountMin, amountMax }
}

/** @param asked What the seller wants: below what moves, or equal. Both must lie within the bounds. */
export function checkPolicy(policy: Policy, { payee, amount }: Authorization, asked: bigint): Refusal | undefined {
  if (!policy.enabled) return refuse('x402_policy_disabled')
  if (policy.payees !== undefined && !policy.payees.has(payee.toLowerCase())) return refuse('x402_payto_not_allowed')
  if (amount < policy.amountMin || asked < policy.amountMin) return refuse('x402_amount_below_minimum')
  if (amount > policy.amountMax) return refuse('x402_amount_exceeds_cap')
  return undefined
}

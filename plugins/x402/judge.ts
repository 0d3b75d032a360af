/**
 * The checks that `/verify` and `/settle` share, in this order, the first no being the answer:
 *
 *  1. body well-formed, of a version, scheme and network that are served (`invalid_request`, `x402_policy_disabled`)
 *  2. policy enabled, asset allowed
 *  3. signed by the payer, to the payee, for the amount
 *  4. not being settled or settled already
 *  5. payee and amount within the policy
 *  6. an operator's key that can pay
 *  7. time, and the state of the chain
 *  8. room in the budgets
 *
 * Nothing here is written, and nothing before 7 asks the chain, but for payers that are contracts.
 */
import type { GasBudget } from './budget/gas-budget.ts'
import type { Authorization, PaymentRequest } from './payment.ts'
import { checkPolicy, type Policy } from './policy/policy.ts'
import { isRefusal, refuse, type Refusal } from './reasons.ts'
import type { Prepared, Scheme } from './schemes/scheme.ts'
import { isInFlight, isPaid, type SettlementDocument } from './settlements/settlement.ts'
import type { Settlements } from './settlements/settlements.ts'

export interface JudgeParts {
  readonly policy: Policy
  readonly schemes: readonly Scheme[]
  readonly settlements: Settlements
  readonly budget: GasBudget
}

/** A payment that passed 1 to 3. */
export interface Signed {
  readonly request: PaymentRequest
  readonly scheme: Scheme
  readonly authorization: Authorization
  /** The settlement of the same authorization, when there is one. */
  readonly earlier: SettlementDocument | undefined
}

export class Judge {
  private readonly parts: JudgeParts
  private lastCostMax: bigint | undefined

  constructor(parts: JudgeParts) {
    this.parts = parts
  }

  /** 1 to 3. A payment that is paid, or may be, is told so whatever the policy says by now. */
  async signed(request: PaymentRequest): Promise<Signed | Refusal> {
    const { terms, payload } = request
    const { policy, schemes, settlements } = this.parts
    const ofNetwork = schemes.filter(({ network }) => network === terms.network)
    if (ofNetwork.length === 0) return refuse('x402_policy_disabled')
    const scheme = ofNetwork.find((each) => each.scheme === terms.scheme)
    const authorization = scheme?.read(payload, terms)
    if (scheme === undefined || authorization === undefined) return refuse('invalid_request')
    const earlier = await settlements.get(authorization.key)
    const isOpen = isInFlight(earlier) || isPaid(earlier)
    if (!policy.enabled && !isOpen) return refuse('x402_policy_disabled')
    if (!scheme.knowsAsset(authorization.asset)) return refuse('x402_asset_not_allowed')
    const refusal = await scheme.checkSigned(authorization, terms, isOpen ? earlier?.detail : undefined)
    return refusal ?? { request, scheme, authorization, earlier }
  }

  /**
   * 5 to 8, for `/verify`. What it would cost is taken from the last one that was prepared: they differ little. That there is
   * no room is said of what this one costs now: the last may have been in a spike of the fees.
   */
  async payable(signed: Signed): Promise<Refusal | undefined> {
    const costMax = this.lastCostMax
    if (costMax === undefined) return asRefusal(await this.prepared(signed))
    return (
      (await this.allowed(signed)) ??
      (await signed.scheme.checkNow(signed.authorization)) ??
      ((await this.parts.budget.check(costMax)) && asRefusal(await this.prepared(signed)))
    )
  }

  /** 5 to 8, for `/settle`: with what it would cost. */
  async prepared(signed: Signed): Promise<Prepared | Refusal> {
    const refusal = await this.allowed(signed)
    if (refusal !== undefined) return refusal
    const prepared = await signed.scheme.prepare(signed.authorization)
    if (isRefusal(prepared)) return prepared
    this.lastCostMax = prepared.costMax
    return (await this.parts.budget.check(prepared.costMax)) ?? prepared
  }

  private async allowed({ scheme, authorization, request }: Signed): Promise<Refusal | undefined> {
    const refusal = checkPolicy(this.parts.policy, authorization, request.terms.amount)
    if (refusal !== undefined) return refusal
    return (await scheme.signers()).length === 0 ? refuse('x402_relayer_not_configured') : undefined
  }
}

function asRefusal(judged: object): Refusal | undefined {
  return isRefusal(judged) ? judged : undefined
}

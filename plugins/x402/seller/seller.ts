/**
 * Asks for payment in front of a Koa route: the seller's side of x402 version 1. Needs nothing of Keystead but a
 * facilitator's address.
 *
 * The order is verify, serve, settle, answer: Koa sends nothing before this middleware is done, and a refusal has nothing
 * of what was served. A payment that is used again is not served: the facilitator marks a repeat, and what is being served
 * is not served beside itself. A buyer whose payment took longer than anybody waited sends the same header again and is
 * served then.
 */
import type { Context, Middleware } from 'koa'
import { z } from 'zod'
import { FacilitatorClient } from './facilitator-client.ts'
import { HeldHeaders } from './held-headers.ts'
import { PaymentsUnderWay } from './payments-under-way.ts'

export interface Price {
  /** Base units of the asset, decimal digits. */
  readonly amount: string
  readonly asset: string
  /** The asset's signing domain. */
  readonly domain: { readonly name: string; readonly version: string }
  readonly network: string
  readonly payTo: string
  readonly description?: string
  readonly mimeType?: string
  readonly maxTimeoutSeconds?: number
}

export interface SellerOptions {
  /** Without a slash at its end. */
  readonly facilitatorUrl: string
  readonly price: Price
  /** How the resource is called from outside; without it as the request names it. */
  readonly resource?: string
}

const TIMEOUT_SECONDS = 60
const HEADER_LENGTH_MAX = 8_192
const paymentSchema = z.looseObject({
  x402Version: z.literal(1),
  payload: z.looseObject({ authorization: z.looseObject({ from: z.string(), nonce: z.string() }) }),
})
type Payment = z.infer<typeof paymentSchema>

/** What the facilitator says of a payment that it has begun or done. */
const MAY_BE_PAID = /_(?:settlement_in_flight|authorization_used)$/

export function seller(options: SellerOptions): Middleware {
  const facilitator = new FacilitatorClient(options.facilitatorUrl)
  const underWay = new PaymentsUnderWay()
  return async (context, next) => {
    const requirements = requirementsOf(options, context)
    const before = new HeldHeaders(context)
    const refuse = (error: string) => {
      before.restore()
      context.set('Cache-Control', 'no-store')
      context.status = 402
      context.body = { x402Version: 1, accepts: [requirements], error }
    }
    const header = context.get('X-PAYMENT')
    if (header === '') return refuse('X-PAYMENT header is required')
    const payment = readPayment(header)
    if (payment === undefined) return refuse('invalid_payment')
    const { from, nonce } = payment.payload.authorization
    const key = `${from}:${nonce}`.toLowerCase()
    if (!underWay.begin(key)) return refuse('payment_in_use')
    try {
      const { isValid, invalidReason = 'invalid_payment' } = await facilitator.verify(payment, requirements)
      // A payment whose outcome nobody was told yet is asked for again, and served if it was this one.
      const isLate = !isValid && MAY_BE_PAID.test(invalidReason)
      if (!isValid && !isLate) return refuse(invalidReason)
      if (!isLate) await next()
      // What was not delivered is not charged.
      if (!isLate && context.status >= 400) return
      const settled = await facilitator.settle(payment, requirements)
      if (!settled.success) return refuse(isLate ? invalidReason : (settled.errorReason ?? 'settlement_failed'))
      if (settled.replayed === true) return refuse('payment_replayed')
      if (isLate) await next()
      context.set('X-PAYMENT-RESPONSE', Buffer.from(JSON.stringify(settled)).toString('base64'))
    } finally {
      underWay.end(key)
    }
  }
}

function requirementsOf({ price, resource }: SellerOptions, context: Context): object {
  return {
    scheme: 'exact',
    network: price.network,
    maxAmountRequired: price.amount,
    resource: resource ?? context.href,
    // The SDKs of buyers refuse requirements without these two.
    description: price.description ?? '',
    mimeType: price.mimeType ?? 'application/json',
    payTo: price.payTo,
    maxTimeoutSeconds: price.maxTimeoutSeconds ?? TIMEOUT_SECONDS,
    asset: price.asset,
    extra: price.domain,
  }
}

/** @returns undefined for what is not base64 of a payment in JSON. */
function readPayment(header: string): Payment | undefined {
  if (header.length > HEADER_LENGTH_MAX) return undefined
  try {
    return paymentSchema.safeParse(JSON.parse(Buffer.from(header, 'base64').toString())).data
  } catch {
    return undefined
  }
}

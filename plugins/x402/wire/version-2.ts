/** Version 2 of the wire: the payment repeats the requirement that it accepts, networks by CAIP-2. */
import { z } from 'zod'
import type { PaymentRequest } from '../payment.ts'
import { amount, extra, networkName, payload, shortText, timeoutSeconds } from './fields.ts'
import type { NetworkNames } from './network-names.ts'

const requirementsSchema = z.object({
  scheme: shortText,
  network: networkName,
  amount,
  asset: shortText,
  payTo: shortText,
  maxTimeoutSeconds: timeoutSeconds,
  extra,
})
type Requirements = z.infer<typeof requirementsSchema>

const bodySchema = z.object({
  x402Version: z.literal(2).optional(),
  paymentPayload: z.object({ x402Version: z.literal(2), accepted: requirementsSchema, payload }),
  paymentRequirements: requirementsSchema,
})

/** @returns undefined for a malformed body, and where the payment accepts something else than is asked for. */
export function readVersion2(body: unknown, names: NetworkNames): PaymentRequest | undefined {
  const read = bodySchema.safeParse(body)
  if (!read.success) return undefined
  const { paymentPayload: paid, paymentRequirements: asked } = read.data
  if (!isSame(paid.accepted, asked, names)) return undefined
  return {
    version: 2,
    networkName: asked.network,
    terms: {
      scheme: asked.scheme,
      network: names.idOf(asked.network),
      asset: asked.asset,
      payTo: asked.payTo,
      amount: asked.amount,
      amountRule: 'exactly',
      extra: asked.extra,
    },
    payload: paid.payload,
  }
}

/** Addresses are compared without regard to case: a checksum is no difference. */
function isSame(paid: Requirements, asked: Requirements, names: NetworkNames): boolean {
  return (
    paid.scheme === asked.scheme &&
    names.areSame(paid.network, asked.network) &&
    paid.asset.toLowerCase() === asked.asset.toLowerCase() &&
    paid.payTo.toLowerCase() === asked.payTo.toLowerCase() &&
    paid.amount === asked.amount &&
    paid.extra.name === asked.extra.name &&
    paid.extra.version === asked.extra.version
  )
}

/** Version 1 of the wire: scheme and network beside the payload, networks by name. */
import { z } from 'zod'
import type { PaymentRequest } from '../payment.ts'
import { amount, extra, networkName, payload, shortText, text, timeoutSeconds } from './fields.ts'
import type { NetworkNames } from './network-names.ts'

/** `description` and `mimeType` are in the SDKs' requirements and not in the specification's: taken either way. */
const requirementsSchema = z.object({
  scheme: shortText,
  network: networkName,
  maxAmountRequired: amount,
  asset: shortText,
  payTo: shortText,
  resource: text,
  description: text.nullish(),
  mimeType: text.nullish(),
  maxTimeoutSeconds: timeoutSeconds,
  extra,
})

const bodySchema = z.object({
  x402Version: z.literal(1).optional(),
  paymentPayload: z.object({ x402Version: z.literal(1), scheme: shortText, network: networkName, payload }),
  paymentRequirements: requirementsSchema,
})

/** @returns undefined for a malformed body, and for a payment that is not of the scheme or network asked for. */
export function readVersion1(body: unknown, names: NetworkNames): PaymentRequest | undefined {
  const read = bodySchema.safeParse(body)
  if (!read.success) return undefined
  const { paymentPayload: paid, paymentRequirements: asked } = read.data
  if (paid.scheme !== asked.scheme || !names.areSame(paid.network, asked.network)) return undefined
  return {
    version: 1,
    networkName: paid.network,
    terms: {
      scheme: asked.scheme,
      network: names.idOf(asked.network),
      asset: asked.asset,
      payTo: asked.payTo,
      amount: asked.maxAmountRequired,
      amountRule: 'atLeast',
      extra: asked.extra,
    },
    payload: paid.payload,
  }
}

/**
 * Reads the payload of `exact` on the EVM: an EIP-3009 authorization and its signature. Everything is lower-cased before
 * it becomes a key: 0xAB and 0xab are one nonce and one address.
 */
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { Authorization, Terms } from '../../payment.ts'

/** A wrapped signature of a smart wallet has a few hundred bytes; more than 4 KiB no token accepts within our gas. */
const SIGNATURE_HEX_LENGTH_MAX = 8194
const UINT256_DIGITS_MAX = 78
const UINT256_MAX = 2n ** 256n - 1n

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((value) => value.toLowerCase() as Address)
const uint256 = z
  .string()
  .max(UINT256_DIGITS_MAX)
  // Further checks would run on what is no number.
  .regex(/^(?:0|[1-9][0-9]*)$/, { abort: true })
  .refine((value) => BigInt(value) <= UINT256_MAX)

const authorizationSchema = z.object({
  from: address,
  to: address,
  value: uint256,
  /** Unix seconds. */
  validAfter: uint256,
  validBefore: uint256,
  nonce: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .transform((value) => value.toLowerCase() as Hex),
})

const payloadSchema = z.object({
  signature: z
    .string()
    .max(SIGNATURE_HEX_LENGTH_MAX)
    .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
    .transform((value) => value.toLowerCase() as Hex),
  authorization: authorizationSchema,
})

export type TransferAuthorization = z.infer<typeof authorizationSchema>

/** What is stored: plain JSON, amounts as decimal digits. */
export interface ExactDetail extends TransferAuthorization {
  signature: Hex
  asset: Address
}

/** @returns undefined when payload, asset or payee are not what they must be. */
export function readAuthorization(payload: unknown, terms: Terms): Authorization | undefined {
  const read = payloadSchema.safeParse(payload)
  const asset = address.safeParse(terms.asset)
  if (!read.success || !asset.success || !address.safeParse(terms.payTo).success) return undefined
  const { authorization, signature } = read.data
  const detail: ExactDetail = { ...authorization, signature, asset: asset.data }
  return {
    key: `${terms.network}:${asset.data}:${authorization.from}:${authorization.nonce}`,
    payer: authorization.from,
    payee: authorization.to,
    asset: asset.data,
    amount: BigInt(authorization.value),
    detail: { ...detail },
  }
}

/** The detail of an authorization that this scheme has read, perhaps out of the store. */
export function detailOf(authorization: Authorization): ExactDetail {
  return authorization.detail as unknown as ExactDetail
}

const payerSchema = z.object({ authorization: z.object({ from: z.string().regex(/^0x[0-9a-fA-F]{40}$/) }) })

/** As it was written, since clients compare it as text. @returns an empty text when there is none. */
export function payerOf(payload: unknown): string {
  const read = payerSchema.safeParse(payload)
  return read.success ? read.data.authorization.from : ''
}

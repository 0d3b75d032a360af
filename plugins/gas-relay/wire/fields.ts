/** Members of bodies. Amounts, nonces and times are decimal digits; bytes are 0x and hex. */
import { getAddress, isAddress, type Address, type Hex } from 'viem'
import { z } from 'zod'

const UINT256_MAX = 2n ** 256n - 1n

export function decimal(max: bigint = UINT256_MAX) {
  return z
    .string()
    .max(78)
    .regex(/^(?:0|[1-9][0-9]*)$/, 'must be decimal digits')
    .transform(BigInt)
    .refine((value) => value <= max, 'is too large')
}

/** Lower-case, or with a right checksum (ERC-55); read as the checksum form. */
export const address = z
  .string()
  .max(42)
  .refine((text) => isAddress(text), 'must be an address')
  .transform((text): Address => getAddress(text))

export function hex(bytesMax: number) {
  return z
    .string()
    .max(2 + 2 * bytesMax)
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x and hex')
    .transform((text) => text.toLowerCase() as Hex)
}

export function hexOf(bytes: number) {
  return hex(bytes).refine((text) => text.length === 2 + 2 * bytes, 'has another length')
}

/** As people write it, in one line: no control characters, and nothing that is half a character. */
export function line(lengthMax: number) {
  return z
    .string()
    .min(1)
    .max(lengthMax)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be without control characters')
}

export const organizationId = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID')
export const timestampMs = z.string().regex(/^[0-9]{1,15}$/, 'must be decimal digits')
/** Milliseconds since 1970. */
export const timeMs = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'must be decimal digits')
  .transform(Number)

export const network = z.string().regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'must be a CAIP-2 identifier')
export const transactionId = z.string().min(1).max(64)

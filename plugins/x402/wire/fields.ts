/** The members that both versions of the wire share. Unknown members are ignored; lengths are bounded. */
import { z } from 'zod'

const TEXT_LENGTH_MAX = 4096
/** Digits of the largest 256-bit number. */
const AMOUNT_DIGITS_MAX = 78
const AMOUNT_MAX = 2n ** 256n - 1n

/** Answers repeat it, also of a body that is refused. A CAIP-2 identifier has 41 characters at most. */
export const networkName = z.string().min(1).max(64)
export const shortText = z.string().min(1).max(256)
export const text = z.string().max(TEXT_LENGTH_MAX)

/** An amount in base units, as decimal digits without leading zeros. */
export const amount = z
  .string()
  .max(AMOUNT_DIGITS_MAX)
  .regex(/^(?:0|[1-9][0-9]*)$/)
  .transform(BigInt)
  .refine((value) => value <= AMOUNT_MAX)

/** A year at most: nobody means more, and sums stay exact. */
export const timeoutSeconds = z.int().min(1).max(31_536_000)

/** The signing domain of the asset; the scheme compares it with the asset's own. */
export const extra = z.looseObject({ name: shortText, version: shortText })

/** The scheme reads what is inside. */
export const payload = z.record(z.string(), z.unknown())

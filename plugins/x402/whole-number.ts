/** An amount as the environment says it: decimal digits. */
import { z } from 'zod'

export const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,30}$/, 'must be a whole number')
  .transform(BigInt)

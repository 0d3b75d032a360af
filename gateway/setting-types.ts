/** Kinds of settings. What is empty or of another kind is refused: nothing is made into a number that was none. */
import { z } from 'zod'

/** The longest that Node's timers take; beyond it they fire at once. */
export const TIMER_MS_MAX = 2_147_483_647

/** A number in YAML, decimal digits in the environment. An empty text is neither: left out, a setting has its default. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  const mistake = `must be a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}`
  const digits = z
    .string()
    .regex(/^[0-9]{1,16}$/)
    .transform(Number)
  return z
    .union([z.number(), digits], { error: mistake })
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, mistake)
}

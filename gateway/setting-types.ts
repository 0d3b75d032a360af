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

/**
 * Whether the client of Redis reads the same in it as the operator: a password with a `#`, `/`, `?` or `%` must be
 * percent-encoded. The platform would pass over spaces, of which the client complains with the whole text.
 */
export function isRedisUrl(text: string): boolean {
  const url = /^rediss?:\/\/\S+$/.test(text) ? URL.parse(text) : null
  if (url === null || url.hostname === '') return false
  const { username, password, pathname, search, hash } = url
  return (
    /^(?:\/[0-9]*)?$/.test(pathname) && !search.includes('@') && hash === '' && isDecodable(`${username}${password}`)
  )
}

/** Host by host, because several hosts are no URL to the platform. */
const MONGODB_URL = /^mongodb(?:\+srv)?:\/\/(?:([^/?#[\]@]+)@)?[^/?#@]+\/[A-Za-z0-9_-]+(?:\?[^#@]*)?$/

/** Whether a database is named and no unescaped password ends the part that it stands in. */
export function isMongodbUrl(text: string): boolean {
  const match = MONGODB_URL.exec(text)
  return match !== null && isDecodable(match[1] ?? '')
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Windows in the memory of this process. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimiterUnavailableError, type RateLimit, type RateLimiter } from '../plugin-api.ts'

export function memoryRateLimiter({ name, points, windowMs }: RateLimit): RateLimiter {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: windowMs / 1_000 })
  return {
    async consume(key, spent = 1) {
      try {
        await limiter.consume(key, spent)
        return { allowed: true, retryAfterMs: 0 }
      } catch (error) {
        if (error instanceof RateLimiterRes) return { allowed: false, retryAfterMs: error.msBeforeNext }
        throw new RateLimiterUnavailableError('the limiter failed')
      }
    },
  }
}

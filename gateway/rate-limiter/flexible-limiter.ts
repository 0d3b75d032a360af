/** What both adapters share: a limiter of rate-limiter-flexible behind the port. */
import { createHash } from 'node:crypto'
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import {
  checkPoints,
  RateLimiterUnavailableError,
  type Consumed,
  type LimitSpec,
  type RateLimiter,
} from './rate-limiter.ts'

const ALLOWED: Consumed = { allowed: true, retryAfterMs: 0 }

export class FlexibleLimiter implements RateLimiter {
  private readonly spec: LimitSpec
  private readonly limiter: RateLimiterAbstract
  private readonly isClosed: () => boolean

  constructor(spec: LimitSpec, limiter: RateLimiterAbstract, isClosed: () => boolean) {
    this.spec = spec
    this.limiter = limiter
    this.isClosed = isClosed
  }

  async consume(key: string, points = 1): Promise<Consumed> {
    checkPoints(this.spec, points)
    if (this.isClosed()) throw new RateLimiterUnavailableError('the limiter is closed')
    try {
      await this.limiter.consume(nameOf(key), points)
      return ALLOWED
    } catch (error) {
      // Its way to say no; anything else is no answer.
      if (error instanceof RateLimiterRes) return { allowed: false, retryAfterMs: Math.max(error.msBeforeNext, 1) }
      throw new RateLimiterUnavailableError('the limiter cannot be reached', { cause: error })
    }
  }
}

/** Short whatever the key is, and no key can look like another. */
function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

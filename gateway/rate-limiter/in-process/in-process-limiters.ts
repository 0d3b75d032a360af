import { RateLimiterMemory } from 'rate-limiter-flexible'
import { FlexibleLimiter } from '../flexible-limiter.ts'
import type { LimitSpec, RateLimiter, RateLimiters } from '../rate-limiter.ts'

/** The limiter port in memory: for one gateway, and empty at every start. */
export class InProcessLimiters implements RateLimiters {
  private closed = false

  open(spec: LimitSpec): RateLimiter {
    const { name: keyPrefix, pointsMax: points, windowS: duration } = spec
    return new FlexibleLimiter(spec, new RateLimiterMemory({ keyPrefix, points, duration }), () => this.closed)
  }

  async close(): Promise<void> {
    this.closed = true
  }
}

import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { isConnected, requestConnection } from '../../redis/redis-connections.ts'
import { FlexibleLimiter } from '../flexible-limiter.ts'
import {
  RateLimiterUnavailableError,
  type Consumed,
  type LimitSpec,
  type RateLimiter,
  type RateLimiters,
} from '../rate-limiter.ts'

export interface RedisLimiterSettings {
  /** `redis://` or `rediss://`. May hold a password, so it is never shown. */
  readonly url: string
  /** Begins every key. */
  readonly prefix: string
}

/** The limiter port on Redis: one count for all gateways. An emptied Redis begins every window anew. */
export class RedisLimiters implements RateLimiters {
  private readonly redis: Redis
  private readonly prefix: string
  private closed = false

  constructor({ url, prefix }: RedisLimiterSettings, logger: Logger) {
    this.redis = requestConnection(url, logger)
    this.prefix = prefix
  }

  open(spec: LimitSpec): RateLimiter {
    const { pointsMax: points, windowS: duration } = spec
    const keyPrefix = `${this.prefix}:limit:${spec.name}`
    const limiter = new RateLimiterRedis({ storeClient: this.redis, keyPrefix, points, duration })
    return new ConnectedLimiter(this.redis, new FlexibleLimiter(spec, limiter, () => this.closed))
  }

  async close(): Promise<void> {
    this.closed = true
    this.redis.disconnect()
  }
}

/** Gives a connection that is just being made its moment. */
class ConnectedLimiter implements RateLimiter {
  private readonly redis: Redis
  private readonly limiter: RateLimiter

  constructor(redis: Redis, limiter: RateLimiter) {
    this.redis = redis
    this.limiter = limiter
  }

  async consume(key: string, points?: number): Promise<Consumed> {
    if (!(await isConnected(this.redis))) throw new RateLimiterUnavailableError('the limiter cannot be reached')
    return this.limiter.consume(key, points)
  }
}

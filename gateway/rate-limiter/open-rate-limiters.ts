import type { Logger } from 'pino'
import { REDIS_PREFIX } from '../redis/redis-connections.ts'
import { InProcessLimiters } from './in-process/in-process-limiters.ts'
import type { RateLimiters } from './rate-limiter.ts'
import { RedisLimiters } from './redis/redis-limiters.ts'

/** The limiters that the settings ask for. */
export function openRateLimiters(logger: Logger, redisUrl: string | undefined): RateLimiters {
  if (redisUrl === undefined) return new InProcessLimiters()
  return new RedisLimiters({ url: redisUrl, prefix: REDIS_PREFIX }, logger)
}

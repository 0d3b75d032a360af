import type { Logger } from 'pino'
import { REDIS_PREFIX } from '../redis/prefix.ts'
import { InProcessLimiters } from './in-process/in-process-limiters.ts'
import type { RateLimiters } from './rate-limiter.ts'

/** The limiters that the settings ask for; the client of Redis is loaded where it is used. */
export async function openRateLimiters(logger: Logger, redisUrl: string | undefined): Promise<RateLimiters> {
  if (redisUrl === undefined) return new InProcessLimiters()
  const { RedisLimiters } = await import('./redis/redis-limiters.ts')
  return new RedisLimiters({ url: redisUrl, prefix: REDIS_PREFIX }, logger)
}

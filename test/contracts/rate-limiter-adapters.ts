/** Every adapter of the rate limiter port that this machine can run. */
import { randomUUID } from 'node:crypto'
import type { TestFn } from 'ava'
import { pino } from 'pino'
import { InProcessLimiters } from '../../gateway/rate-limiter/in-process/in-process-limiters.ts'
import { RedisLimiters } from '../../gateway/rate-limiter/redis/redis-limiters.ts'
import { untilItWorks } from '../support/processes.ts'
import { startRedis, type RedisServer } from '../support/redis-server.ts'
import { haveServers } from '../support/servers.ts'
import type { RateLimiterAdapter } from './rate-limiter.ts'

export function rateLimiterAdapters(test: TestFn): RateLimiterAdapter[] {
  const adapters: RateLimiterAdapter[] = [{ name: 'in process', open: async () => new InProcessLimiters() }]
  if (haveServers(test, 'rate limiter contract on Redis', 'redis')) adapters.push(redis(test))
  return adapters
}

function redis(test: TestFn): RateLimiterAdapter {
  let server: RedisServer
  test.before(async () => {
    server = await startRedis()
  })
  test.after.always(() => server.dispose())
  const logger = pino({ level: 'silent' })
  const open = async () => {
    const limiters = new RedisLimiters({ url: server.url, prefix: randomUUID() }, logger)
    const scratch = limiters.open({ name: 'scratch', pointsMax: 1_000, windowS: 1 })
    await untilItWorks('Redis', () => scratch.consume('key'))
    return limiters
  }
  return { name: 'redis', oneByOne: true, open }
}

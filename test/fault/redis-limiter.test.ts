/** A limiter without its Redis allows nothing, says so soon, and counts on when Redis is back. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { pino } from 'pino'
import { RateLimiterUnavailableError } from '../../gateway/rate-limiter/rate-limiter.ts'
import { RedisLimiters } from '../../gateway/rate-limiter/redis/redis-limiters.ts'
import { until } from '../support/processes.ts'
import { startRedis } from '../support/redis-server.ts'
import { haveServers } from '../support/servers.ts'

const unavailable = { instanceOf: RateLimiterUnavailableError }

if (haveServers(test, 'rate limiter faults', 'redis')) {
  test('killed, frozen or never there: the limiter fails closed', async (t) => {
    const redis = await startRedis()
    t.teardown(() => redis.dispose())
    if (redis.process === undefined) return t.pass('a given Redis is not killed')
    const limiters = new RedisLimiters({ url: redis.url, prefix: 'fault' }, pino({ level: 'silent' }))
    t.teardown(() => limiters.close())
    const limiter = limiters.open({ name: 'limit', pointsMax: 2, windowS: 600 })
    t.true((await limiter.consume('key')).allowed)

    redis.process.pause()
    const startedMs = performance.now()
    await t.throwsAsync(limiter.consume('key'), unavailable)
    t.true(performance.now() - startedMs < 10_000, 'nobody waits for a frozen Redis')
    redis.process.resume()

    await redis.process.kill()
    await sleep(50)
    for (let i = 0; i < 3; i++) await t.throwsAsync(limiter.consume('key'), unavailable)
    await redis.process.start()
    await until('Redis to be reached again', async () => {
      try {
        return !(await limiter.consume('key', 2)).allowed
      } catch {
        return false
      }
    })
    t.false((await limiter.consume('key', 2)).allowed, 'what was taken before is not given back')
  })

  test('a Redis that never was is no limit either', async (t) => {
    const limiters = new RedisLimiters({ url: 'redis://127.0.0.1:1', prefix: 'fault' }, pino({ level: 'silent' }))
    t.teardown(() => limiters.close())
    const limiter = limiters.open({ name: 'limit', pointsMax: 2, windowS: 600 })
    await t.throwsAsync(limiter.consume('key'), unavailable)
  })
}

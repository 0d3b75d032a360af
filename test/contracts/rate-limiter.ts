/** The contract of the rate limiter port: `rateLimiterContract` declares one ava test per rule, for any adapter. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext, TestFn } from 'ava'
import {
  RateLimiterUnavailableError,
  type LimitSpec,
  type RateLimiters,
} from '../../gateway/rate-limiter/rate-limiter.ts'

/** One adapter under test. `open` gives limiters without any count; the suite closes them. */
export interface RateLimiterAdapter {
  readonly name: string
  /** What other rules do at the same time must not be taken for a Redis that is away. */
  readonly oneByOne?: boolean
  open(): Promise<RateLimiters>
}

const spec: LimitSpec = { name: 'contract', pointsMax: 5, windowS: 600 }

/** Keys that a limiter's own naming could spoil or mix up. */
const KEYS = ['', 'a', 'a:b', 'b', 'contract:a', '__proto__', 'Zażółć 🔑', '*', '1', '\0', 'x'.repeat(10_000)]

export function rateLimiterContract(test: TestFn, adapter: RateLimiterAdapter): void {
  const rule = (title: string, body: (t: ExecutionContext, limiters: RateLimiters) => Promise<void>) => {
    const declare = adapter.oneByOne === true ? test.serial : test
    declare(`${adapter.name}: ${title}`, async (t) => {
      const limiters = await adapter.open()
      try {
        await body(t, limiters)
      } finally {
        await limiters.close()
      }
    })
  }

  rule('a key has its points and not one more, and is told when there are some again', async (t, limiters) => {
    const limiter = limiters.open(spec)
    for (let i = 0; i < 5; i++) t.deepEqual(await limiter.consume('key'), { allowed: true, retryAfterMs: 0 })
    const { allowed, retryAfterMs } = await limiter.consume('key')
    t.false(allowed)
    t.true(retryAfterMs > 590_000 && retryAfterMs <= 600_000, String(retryAfterMs))
  })

  rule('several points at once count as many', async (t, limiters) => {
    const limiter = limiters.open(spec)
    t.true((await limiter.consume('key', 4)).allowed)
    t.false((await limiter.consume('key', 2)).allowed, 'one is left')
    t.true((await limiter.consume('all', 5)).allowed)
    t.false((await limiter.consume('all', 1)).allowed)
  })

  rule('each key and each limit counts for itself', async (t, limiters) => {
    const limiter = limiters.open(spec)
    const other = limiters.open({ ...spec, name: 'contract-other' })
    for (const key of KEYS) t.true((await limiter.consume(key, 5)).allowed, key.slice(0, 20))
    for (const key of KEYS) t.false((await limiter.consume(key)).allowed, key.slice(0, 20))
    for (const key of KEYS) t.true((await other.consume(key, 5)).allowed, key.slice(0, 20))
  })

  rule('of 200 at once as many pass as there are points', async (t, limiters) => {
    const limiter = limiters.open({ ...spec, pointsMax: 50 })
    const answers = await Promise.all(Array.from({ length: 200 }, () => limiter.consume('key')))
    t.is(answers.filter(({ allowed }) => allowed).length, 50)
  })

  rule('the next window has all points again', async (t, limiters) => {
    const limiter = limiters.open({ ...spec, windowS: 1 })
    t.true((await limiter.consume('key', 5)).allowed)
    const { allowed, retryAfterMs } = await limiter.consume('key')
    t.false(allowed)
    t.true(retryAfterMs > 0 && retryAfterMs <= 1_000)
    await sleep(1_100)
    t.true((await limiter.consume('key', 5)).allowed)
  })

  rule('points that no window has are a bug of the caller', async (t, limiters) => {
    const limiter = limiters.open(spec)
    for (const points of [0, -1, 1.5, Number.NaN, Infinity, 6]) {
      await t.throwsAsync(limiter.consume('key', points), { instanceOf: RangeError }, String(points))
    }
    t.true((await limiter.consume('key', 5)).allowed, 'nothing was taken')
  })

  rule('a closed limiter allows nothing', async (t, limiters) => {
    const limiter = limiters.open(spec)
    await limiter.consume('key')
    await limiters.close()
    await t.throwsAsync(limiter.consume('key'), { instanceOf: RateLimiterUnavailableError })
    await t.notThrowsAsync(limiters.close(), 'closing twice')
  })
}

/** Connections to Redis, one for what answers a request and one for what works through jobs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** Longest pause before Redis is called again; the first is 100 ms. */
const RECONNECT_MS_MAX = 1_000
/** A Redis that is slower than this counts as away: what it holds is rebuilt from the store. */
const ANSWER_MS = 2_000

function reconnectMs(attempts: number): number {
  return Math.min(attempts * 100, RECONNECT_MS_MAX)
}

/** Fails at once, or after two seconds, where Redis is away: a request waits for it no longer. */
export function requestConnection(url: string, logger: Logger): Redis {
  return observed(
    new Redis(url, {
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      commandTimeout: ANSWER_MS,
      retryStrategy: reconnectMs,
    }),
    logger,
  )
}

/** Waits for Redis as long as it takes, as workers must: https://docs.bullmq.io/guide/connections */
export function workerConnection(url: string, logger: Logger): Redis {
  return observed(new Redis(url, { maxRetriesPerRequest: null, retryStrategy: reconnectMs }), logger)
}

/**
 * Waits a moment for a connection that is being made.
 * @returns whether it is there.
 */
export async function isConnected(redis: Redis): Promise<boolean> {
  const givesUpAtMs = performance.now() + RECONNECT_MS_MAX
  while (redis.status !== 'ready' && redis.status !== 'end' && performance.now() < givesUpAtMs) await sleep(10)
  return redis.status === 'ready'
}

/** One line when the connection is lost and one when it is back. Messages of errors may hold the URL's password. */
function observed(redis: Redis, logger: Logger): Redis {
  let lost = false
  redis.on('error', () => {
    if (!lost) logger.warn('redis_lost')
    lost = true
  })
  redis.on('ready', () => {
    if (lost) logger.info('redis_back')
    lost = false
  })
  return redis
}

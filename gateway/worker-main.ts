/** The worker process: beside gateways that share a queue. */
import { runProcess } from './run-process.ts'
import { startWorker } from './worker.ts'

await runProcess('worker', startWorker, ({ redisUrl }) =>
  redisUrl === undefined ? 'KEYSTEAD_REDIS_URL: a worker needs the queue that gateways share' : undefined,
)

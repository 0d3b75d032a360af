import { setTimeout as sleep } from 'node:timers/promises'
import Router from '@koa/router'
import type { SignerClient } from '../../signer-client/signer-client.ts'
import type { Queues } from '../../queue/queue.ts'
import type { Store } from '../../store/store.ts'
import { respondJson } from '../respond.ts'

export interface HealthParts {
  store: Pick<Store, 'ready'>
  signer: Pick<SignerClient, 'status'>
  queues: Pick<Queues, 'ready'>
}

/** A queue that says nothing for so long counts as away. Whoever asks must wait longer: `deploy/haproxy.cfg`. */
export const QUEUE_ANSWER_MS = 500

/**
 * `/healthz`: the process lives. `/readyz`: it can do its job and with which engine, or which part is missing.
 * @param needsQueue Of a worker, which has its jobs from there. A gateway works without it: requests carry their own
 * activities, and what they leave is found when the queue is back.
 */
export function healthRoutes({ store, signer, queues }: HealthParts, needsQueue: boolean): Router {
  const router = new Router({ sensitive: true, strict: true })
  router.get('/healthz', (context) => respondJson(context, 200, { status: 'ok' }))
  router.get('/readyz', async (context) => {
    const [storeOk, queueOk, signerStatus] = await Promise.all([
      succeeds(store.ready()),
      Promise.race([succeeds(queues.ready()), sleep(QUEUE_ANSWER_MS, false, { ref: false })]),
      signer.status().catch(() => undefined),
    ])
    const { readyHosts = 0, engine, fasterWith } = signerStatus ?? {}
    const signerOk = readyHosts > 0
    const ready = storeOk && signerOk && (queueOk || !needsQueue)
    const parts = { store: inWords(storeOk), signer: inWords(signerOk), queue: inWords(queueOk) }
    respondJson(context, ready ? 200 : 503, { status: inWords(ready), ...parts, engine, fasterWith })
  })
  return router
}

function inWords(ok: boolean): 'ok' | 'unavailable' {
  return ok ? 'ok' : 'unavailable'
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch {
    return false
  }
}

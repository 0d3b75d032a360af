import Router from '@koa/router'
import type { SignerClient } from '../../signer-client/signer-client.ts'
import type { Queues } from '../../queue/queue.ts'
import type { Store } from '../../store/store.ts'
import { respondJson } from '../respond.ts'

/**
 * `/healthz`: the process lives. `/readyz`: it can do its job and with which engine, or which part is missing. Without the
 * queue it can: requests carry their own activities, and what they leave is found when the queue is back.
 */
export function healthRoutes(
  store: Pick<Store, 'ready'>,
  signer: Pick<SignerClient, 'status'>,
  queues: Pick<Queues, 'ready'>,
): Router {
  const router = new Router({ sensitive: true, strict: true })
  router.get('/healthz', (context) => respondJson(context, 200, { status: 'ok' }))
  router.get('/readyz', async (context) => {
    const [storeOk, queueOk, signerStatus] = await Promise.all([
      succeeds(store.ready()),
      succeeds(queues.ready()),
      signer.status().catch(() => undefined),
    ])
    const ready = storeOk && signerStatus !== undefined
    const parts = { store: inWords(storeOk), signer: inWords(signerStatus !== undefined), queue: inWords(queueOk) }
    const { engine, fasterWith } = signerStatus ?? {}
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

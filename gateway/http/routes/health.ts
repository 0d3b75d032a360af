import Router from '@koa/router'
import type { SignerClient } from '../../signer-client/signer-client.ts'
import type { Store } from '../../store/store.ts'
import { respondJson } from '../respond.ts'

/** `/healthz`: the process lives. `/readyz`: it can do its job, or which part is missing. */
export function healthRoutes(store: Store, signer: Pick<SignerClient, 'ready'>): Router {
  const router = new Router({ sensitive: true, strict: true })
  router.get('/healthz', (context) => respondJson(context, 200, { status: 'ok' }))
  router.get('/readyz', async (context) => {
    const [storeOk, signerOk] = await Promise.all([succeeds(store.ready()), succeeds(signer.ready())])
    const parts = { store: storeOk ? 'ok' : 'unavailable', signer: signerOk ? 'ok' : 'unavailable' }
    const ready = storeOk && signerOk
    respondJson(context, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', ...parts })
  })
  return router
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch {
    return false
  }
}

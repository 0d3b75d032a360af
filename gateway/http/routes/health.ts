import Router from '@koa/router'
import type { SignerClient } from '../../signer-client/signer-client.ts'
import type { Store } from '../../store/store.ts'
import { respondJson } from '../respond.ts'

/** `/healthz`: the process lives. `/readyz`: it can do its job and with which engine, or which part is missing. */
export function healthRoutes(store: Store, signer: Pick<SignerClient, 'status'>): Router {
  const router = new Router({ sensitive: true, strict: true })
  router.get('/healthz', (context) => respondJson(context, 200, { status: 'ok' }))
  router.get('/readyz', async (context) => {
    const [storeOk, signerStatus] = await Promise.all([succeeds(store.ready()), signer.status().catch(() => undefined)])
    const parts = { store: storeOk ? 'ok' : 'unavailable', signer: signerStatus ? 'ok' : 'unavailable' }
    const ready = storeOk && signerStatus !== undefined
    const { engine, fasterWith } = signerStatus ?? {}
    respondJson(context, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', ...parts, engine, fasterWith })
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

/** What `/readyz` says when a part is away or says nothing. */
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import Koa from 'koa'
import { healthRoutes, type HealthParts } from '../../../gateway/http/routes/health.ts'
import { listen, stopListening } from '../../../gateway/http/server.ts'

const signerStatus = { engine: 'fast', componentDigest: '', readyHosts: 1 } as const
const answering: HealthParts = {
  store: { ready: async () => undefined },
  signer: { status: async () => signerStatus },
  queues: { ready: async () => undefined },
}
const away = async (): Promise<never> => {
  throw new Error('away')
}
const silent = () => new Promise<never>(() => undefined)

async function readyz(t: ExecutionContext, parts: Partial<HealthParts>, needsQueue: boolean) {
  const app = new Koa()
  app.use(healthRoutes({ ...answering, ...parts }, needsQueue).routes() as Koa.Middleware)
  const server = await listen(app, '127.0.0.1', 0)
  t.teardown(() => stopListening(server, 0))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`)
  return { status: response.status, said: (await response.json()) as Record<string, string> }
}

test('all parts there', async (t) => {
  for (const needsQueue of [false, true]) {
    const { status, said } = await readyz(t, {}, needsQueue)
    t.is(status, 200)
    t.deepEqual(said, { status: 'ok', store: 'ok', signer: 'ok', queue: 'ok', engine: 'fast' })
  }
})

for (const [kind, ready] of Object.entries({ away, silent })) {
  test(`a queue that is ${kind}: a gateway is ready and a worker is not, and both say so`, async (t) => {
    const gateway = await readyz(t, { queues: { ready } }, false)
    t.is(gateway.status, 200)
    t.like(gateway.said, { status: 'ok', queue: 'unavailable' })
    const worker = await readyz(t, { queues: { ready } }, true)
    t.is(worker.status, 503)
    t.like(worker.said, { status: 'unavailable', queue: 'unavailable', store: 'ok', signer: 'ok' })
  })
}

test('without the store or the signer nobody is ready', async (t) => {
  const store = await readyz(t, { store: { ready: away } }, false)
  t.is(store.status, 503)
  t.like(store.said, { store: 'unavailable', signer: 'ok' })
  const signer = await readyz(t, { signer: { status: away } }, false)
  t.is(signer.status, 503)
  t.like(signer.said, { store: 'ok', signer: 'unavailable' })
})

test('a launcher none of whose hosts lives signs nothing', async (t) => {
  const status = async () => ({ ...signerStatus, readyHosts: 0 })
  const answer = await readyz(t, { signer: { status } }, false)
  t.is(answer.status, 503)
  t.like(answer.said, { status: 'unavailable', store: 'ok', signer: 'unavailable', engine: 'fast' })
})

/** What a plug-in states and is handed, with a toy that uses all of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import Koa from 'koa'
import { pino } from 'pino'
import { Counter } from 'prom-client'
import { z } from 'zod'
import { ConfigError, loadConfig } from '../../../gateway/config.ts'
import { baseUrlOf, listen, stopListening } from '../../../gateway/http/server.ts'
import { listenForMetrics } from '../../../gateway/http/metrics.ts'
import {
  ActivityUnavailableError,
  definePlugin,
  type CollectionSpec,
  type Plugin,
  type StoredDocument,
} from '../../../gateway/plugin-api.ts'
import { serviceClient } from '../../../gateway/plugin-host/service-client.ts'
import { ServiceKey } from '../../../gateway/plugin-host/service-key.ts'
import { startPlugins } from '../../../gateway/plugin-host/start-plugins.ts'
import { openQueues } from '../../../gateway/queue/open-queues.ts'
import { InProcessLimiters } from '../../../gateway/rate-limiter/in-process/in-process-limiters.ts'
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'

interface Greeting extends StoredDocument {
  text: string
}

const greetings: CollectionSpec<Greeting> = { name: 'toyShopGreetings', unique: [], indexes: [] }
const foreign: CollectionSpec<Greeting> = { name: 'activities', unique: [], indexes: [] }

/** Greets at `/toy` with what is in its collection, and counts. */
const toyShop = definePlugin({
  name: 'toy-shop',
  settings: z.strictObject({ greeting: z.string().default('hello'), loudness: z.coerce.number().int().default(1) }),
  collections: [greetings],
  async start(host, { greeting, loudness }) {
    const stored = host.collection(greetings)
    await stored.insert({ _id: 'first', v: 0, text: greeting + '!'.repeat(loudness) })
    const asked = new Counter({ name: 'keystead_toy_shop_asked', help: 'asked', registers: [host.metrics] })
    return {
      async routes(context, next) {
        if (context.path !== '/toy') return next()
        asked.inc()
        context.body = (await stored.get('first'))?.text
      },
    }
  },
})

async function partsOf(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'ks-plugins-'))
  const store = openSqliteStore({ file: join(folder, 'a.sqlite'), collections: [greetings, foreign] })
  const logger = pino({ level: 'silent' })
  const queues = await openQueues(logger)
  t.teardown(async () => {
    await queues.close()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const submitActivity = () => Promise.reject(new ActivityUnavailableError('none'))
  const chains = new Map()
  const stampedRequests = { readStamped: submitActivity, readStampedByOperator: submitActivity }
  const limiters = new InProcessLimiters()
  return { store, queues, logger, submitActivity, stampedRequests, chains, limiters, nowMs: Date.now }
}

test('settings come from the environment and the file, under the name of the plug-in', (t) => {
  const read = (environment: Record<string, string>) => loadConfig(environment, [toyShop]).plugins['toy-shop']
  t.deepEqual(read({}), { greeting: 'hello', loudness: 1 })
  t.deepEqual(read({ KEYSTEAD_TOY_SHOP_LOUDNESS: '3' }), { greeting: 'hello', loudness: 3 })
  const error = t.throws(() => read({ KEYSTEAD_TOY_SHOP_LOUDNESS: 'SECRET', KEYSTEAD_TOY_SHOP_SMELL: 'x' }), {
    instanceOf: ConfigError,
  })
  t.true(error?.message.includes('KEYSTEAD_TOY_SHOP_LOUDNESS'))
  t.true(error?.message.includes('KEYSTEAD_TOY_SHOP_SMELL'))
  t.false(error?.message.includes('SECRET'))
  t.throws(() => loadConfig({ KEYSTEAD_TOY_SHOP_LOUDNESS: '3' }, []), { instanceOf: ConfigError })
})

test('a plug-in serves its path, keeps its documents and is measured', async (t) => {
  const running = await startPlugins([toyShop], { 'toy-shop': { greeting: 'hi', loudness: 2 } }, await partsOf(t))
  const app = new Koa()
  for (const routes of running.routes) app.use(routes)
  const server = await listen(app, '127.0.0.1', 0)
  const metrics = await listenForMetrics(running.metrics, '127.0.0.1', 0)
  t.teardown(async () => {
    await stopListening(server, 100)
    await stopListening(metrics, 100)
    await running.close()
  })
  t.is(await (await fetch(`${baseUrlOf(server)}/toy`)).text(), 'hi!!')
  t.is((await fetch(`${baseUrlOf(server)}/other`)).status, 404)
  t.regex(await (await fetch(`${baseUrlOf(metrics)}/metrics`)).text(), /^keystead_toy_shop_asked 1$/m)
  t.is((await fetch(`${baseUrlOf(metrics)}/toy`)).status, 404)
})

test('collections of others are refused, stated or not', async (t) => {
  const start = (plugin: Partial<Plugin>) =>
    partsOf(t).then((parts) => startPlugins([{ ...toyShop, ...plugin }], {}, parts))
  await t.throwsAsync(start({ collections: [foreign] }), { name: 'StoreMisuseError' })
  const peeking: Plugin['start'] = async (host) => {
    host.collection(foreign)
    return {}
  }
  await t.throwsAsync(start({ start: peeking }), { name: 'StoreMisuseError' })
})

test('a limiter counts each key for itself and says when to come again', async (t) => {
  const limiter = new InProcessLimiters().open({ name: 'toy', pointsMax: 2, windowS: 60 })
  t.deepEqual(await limiter.consume('a'), { allowed: true, retryAfterMs: 0 })
  t.true((await limiter.consume('a')).allowed)
  const third = await limiter.consume('a')
  t.false(third.allowed)
  t.true(third.retryAfterMs > 0 && third.retryAfterMs <= 60_000)
  t.true((await limiter.consume('b', 2)).allowed)
  await t.throwsAsync(limiter.consume('c', 3), { instanceOf: RangeError }, 'no window has so many')
})

test('without a service key no activity is submitted, and a bad file refuses without saying what is in it', async (t) => {
  const submit = serviceClient(undefined, undefined as never, undefined as never)
  const request = { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', timestampMs: '1', parameters: {} } as const
  await t.throwsAsync(submit(request), { instanceOf: ActivityUnavailableError })
  for (const path of ['/no/such/file', import.meta.filename]) {
    t.throws(() => new ServiceKey(path), { message: 'the file of the service key cannot be used' })
  }
})

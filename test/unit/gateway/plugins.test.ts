/** What a plug-in states and is handed, with a toy that uses all of it. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import Koa from 'koa'
import { pino } from 'pino'
import { Counter } from 'prom-client'
import { z } from 'zod'
import { newApiKeyPair } from '../../../cli/api-key-pair.ts'
import { ConfigError, loadConfig } from '../../../gateway/config.ts'
import { ApiError } from '../../../gateway/http/errors.ts'
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
import { ServiceKeys } from '../../../gateway/plugin-host/service-keys.ts'
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
  const signing = () => ({ submitActivity, chains: new Map() })
  const readStamped = submitActivity
  const stampedRequests = { readStamped, readStampedByOperator: readStamped, checkTimestamp: () => undefined }
  const limiters = new InProcessLimiters()
  return { store, queues, logger, signing, stampedRequests, limiters, nowMs: Date.now }
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
  const submit = serviceClient(undefined, undefined as never, undefined as never, pino({ level: 'silent' }))
  const request = { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', timestampMs: '1', parameters: {} } as const
  await t.throwsAsync(submit(request), { instanceOf: ActivityUnavailableError })
  for (const path of ['/no/such/file', import.meta.filename]) {
    t.throws(() => new ServiceKey(path), { message: 'the file of the service key cannot be used' })
  }
})

/** The files of service keys, by organization. */
function keyFiles(t: ExecutionContext, organizationIds: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'ks-plugins-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return organizationIds.map((organizationId, i) => {
    const { publicKey: apiPublicKey, privateKey: apiPrivateKey } = newApiKeyPair()
    const path = join(folder, `${i}.json`)
    writeFileSync(path, JSON.stringify({ organizationId, apiPublicKey, apiPrivateKey }))
    return path
  })
}

test('each plug-in signs with its own service key, or with the common one', (t) => {
  const [mine, other] = [randomUUID(), randomUUID()]
  const [own = '', common = '', abroad = ''] = keyFiles(t, [mine, mine, other])
  const keys = new ServiceKeys({ serviceKeys: { 'toy-shop': own }, serviceKeyFile: common })
  t.is(keys.organizationId, mine)
  const publicKeyOf = (plugin: string) => keys.of(plugin)?.stamp(new Uint8Array()).publicKey
  t.is(publicKeyOf('another'), publicKeyOf('third'))
  t.not(publicKeyOf('toy-shop'), publicKeyOf('another'))
  t.is(new ServiceKeys({ serviceKeys: { 'toy-shop': own } }).of('another'), undefined)
  t.is(new ServiceKeys({}).organizationId, undefined)
  t.throws(() => new ServiceKeys({ serviceKeys: { 'toy-shop': own, another: abroad } }), { name: 'StartError' })

  const read = (text: string) => loadConfig({ KEYSTEAD_SERVICE_KEYS: text }, [toyShop]).serviceKeys
  t.deepEqual(read('toy-shop=/a/b=c.json'), { 'toy-shop': '/a/b=c.json' })
  for (const bad of [
    '/a.json',
    'toy-shop',
    'toy-shop=',
    'tool-shop=/a.json',
    'toy-shop=/a.json,=/b.json',
    'toy-shop=/a.json,toy-shop=/b.json',
  ]) {
    t.throws(() => read(bad), { instanceOf: ConfigError, message: /KEYSTEAD_SERVICE_KEYS/ }, bad)
  }
})

test('a service key that the organization does not know refuses nothing, and is said once', async (t) => {
  const [path = ''] = keyFiles(t, [randomUUID()])
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const organizations = { get: async () => undefined } as never
  const submit = serviceClient(new ServiceKey(path), organizations, undefined as never, logger)
  const request = { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', timestampMs: '1', parameters: {} } as const
  await t.throwsAsync(submit(request), { instanceOf: ActivityUnavailableError })
  await t.throwsAsync(submit(request), { instanceOf: ActivityUnavailableError })
  t.deepEqual(
    lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    ['service_key_unknown'],
  )
})

test('a service key of a root user, whom no policy binds, is said once; one of another user is not', async (t) => {
  const organizationId = randomUUID()
  const [path = ''] = keyFiles(t, [organizationId])
  const key = new ServiceKey(path)
  const { publicKey } = key.stamp(new Uint8Array())
  const users = [{ userId: 'service', apiKeys: [{ publicKey, curveType: 'API_KEY_CURVE_P256' }] }]
  const submitter = { submit: () => Promise.reject(new ApiError('REQUEST_NOT_AUTHORIZED')) } as never
  const request = { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', timestampMs: '1', parameters: {} } as const
  for (const [rootId, said] of [
    ['service', ['service_key_of_root_user']],
    ['somebody', []],
  ] as const) {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const organization = { organizationId, users, rootQuorum: { threshold: 1, userIds: [rootId] } }
    const submit = serviceClient(key, { get: async () => organization } as never, submitter, logger)
    for (const end of [await submit(request), await submit(request)]) {
      t.deepEqual(end, { status: 'refused', code: 'REQUEST_NOT_AUTHORIZED' })
    }
    t.deepEqual(
      lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
      [...said],
    )
  }
})

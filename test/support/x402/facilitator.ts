/** The plug-in as the gateway runs it: its host, a store, HTTP; with a chain and a sender of the test's choice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Koa from 'koa'
import { pino } from 'pino'
import { errors } from '../../../gateway/http/middleware/errors.ts'
import { baseUrlOf, listen, stopListening } from '../../../gateway/http/server.ts'
import type { Chain, EvmChain, LimitSpec, RateLimiter, SenderOptions } from '../../../gateway/plugin-api.ts'
import { InProcessLimiters } from '../../../gateway/rate-limiter/in-process/in-process-limiters.ts'
import { startPlugins } from '../../../gateway/plugin-host/start-plugins.ts'
import { openQueues } from '../../../gateway/queue/open-queues.ts'
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../../gateway/store/store.ts'
import { x402Plugin } from '../../../plugins/x402/plugin.ts'
import { schemes as ourSchemes } from '../../../plugins/x402/schemes/index.ts'
import type { SchemeMember } from '../../../plugins/x402/schemes/scheme.ts'
import { settingsSchema } from '../../../plugins/x402/settings.ts'
import { readerOf, type PaymentChain } from './payment-chain.ts'
import { unlockedSender, type UnlockedSender } from './unlocked-sender.ts'

export interface Answer {
  status: number
  headers: Headers
  json: Record<string, unknown>
}

export interface Facilitator {
  url: string
  sender: UnlockedSender
  store: Store
  post(route: 'verify' | 'settle', body: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  stop(): Promise<void>
}

export interface FacilitatorOptions {
  /** Beside those that the chain says. */
  settings?: Record<string, string>
  schemes?: readonly SchemeMember[]
  /** Instead of the payment chain's. */
  chains?: ReadonlyMap<string, Chain>
  openRateLimiter?: (spec: LimitSpec) => RateLimiter
  nowMs?: () => number
  /** Kept by whoever gives it. */
  dataDir?: string
  client?: EvmChain['client']
}

/** Limits of requests are out of the way unless a test asks for them. */
const WIDE = { verifyPerIp: '1000000', settlePerIp: '1000000', settlePerPayer: '1000000' } as const

export async function startFacilitator(
  chain: PaymentChain | undefined,
  options: FacilitatorOptions = {},
): Promise<Facilitator> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'ks-'))
  const plugin = x402Plugin(options.schemes ?? ourSchemes)
  const store = openSqliteStore({ file: join(dataDir, 'store.sqlite'), collections: plugin.collections })
  const logger = pino({ level: process.env.KEYSTEAD_TEST_LOG ?? 'silent' })
  const queues = await openQueues(logger)
  const senders: UnlockedSender[] = []
  const chains = options.chains ?? evmChains(chain as PaymentChain, senders, options.client)
  const settings = settingsSchema.parse({
    ...WIDE,
    settlePerFacilitator: '1000000',
    ...ofChain(chain),
    ...options.settings,
  })
  const nowMs = options.nowMs ?? Date.now
  const running = await startPlugins(
    [plugin],
    { x402: settings },
    {
      store,
      queues,
      limiters: options.openRateLimiter === undefined ? new InProcessLimiters() : { open: options.openRateLimiter },
      signing: () => ({ submitActivity: () => Promise.reject(new Error('nothing is signed here')), chains }),
      stampedRequests: { readStamped: nobody, readStampedByOperator: nobody, checkTimestamp: () => undefined },
      logger,
      nowMs,
    },
  )
  const app = new Koa()
  app.silent = true
  app.use(errors(logger))
  for (const routes of running.routes) app.use(routes)
  const server = await listen(app, '127.0.0.1', 0)
  const url = `${baseUrlOf(server)}/x402/v1`
  return {
    url,
    sender: senders[0] as UnlockedSender,
    store,
    post: (route, body, headers = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return ask(`${url}/${route}`, { method: 'POST', body: text, headers })
    },
    get: (path) => ask(`${url}/${path}`, {}),
    async stop() {
      await stopListening(server, 1_000)
      await running.close()
      await queues.close()
      await store.close()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const nobody = () => Promise.reject(new Error('nothing is stamped here'))

function ofChain(chain: PaymentChain | undefined): Record<string, string> {
  if (chain === undefined) return {}
  const { token, domain } = chain
  return { asset: token, assetName: domain.name, assetVersion: domain.version, policyEnabled: 'true' }
}

function evmChains(
  chain: PaymentChain,
  senders: UnlockedSender[],
  client = readerOf(chain),
): ReadonlyMap<string, Chain> {
  const caip2 = `eip155:${chain.chainId}`
  const evm: EvmChain = {
    caip2,
    family: 'eip155',
    chainId: chain.chainId,
    client,
    agreed: client,
    height: () => client.getBlockNumber(),
    openSender(asked: SenderOptions) {
      const sender = unlockedSender(chain, asked)
      senders.push(sender)
      return sender
    },
  }
  return new Map([[caip2, evm]])
}

async function ask(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, init)
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Record<string, unknown> }
}

/** Puts the parts together. The order of closing is the reverse of the way of a request. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Carrier } from './activities/carry.ts'
import { Steps } from './activities/steps.ts'
import { Submit } from './activities/submit.ts'
import { openEvmChain, type EvmChainParts, type OpenEvmChain } from './chains/evm-chain.ts'
import { relayerKeys } from './chains/sending/signing.ts'
import type { Config } from './config.ts'
import { activitiesSpec } from './documents.ts'
import { createApp } from './http/app.ts'
import { listenForMetrics } from './http/metrics.ts'
import { baseUrlOf, listen, stopListening } from './http/server.ts'
import { Organizations } from './organizations/organizations.ts'
import { openRecords } from './open-records.ts'
import { memoryRateLimiter } from './plugin-host/memory-rate-limiter.ts'
import { serviceClient } from './plugin-host/service-client.ts'
import { ServiceKey } from './plugin-host/service-key.ts'
import { startPlugins } from './plugin-host/start-plugins.ts'
import { plugins } from './plugins.ts'
import { openQueues } from './queue/open-queues.ts'
import { Receipts } from './receipts/receipts.ts'
import { SignerClient } from './signer-client/signer-client.ts'
import { openStore } from './store/open-store.ts'

/** The launcher answers within its deadline and its queue's, 10 s each unless set otherwise. */
const SIGNER_DEADLINE_MS = 30_000
const CLOSE_GRACE_MS = 10_000

export interface Gateway {
  baseUrl: string
  close(): Promise<void>
}

export async function startGateway(config: Config, logger: Logger): Promise<Gateway> {
  const nowMs = Date.now
  const store = openStore(config)
  const signer = new SignerClient({ socketPath: join(config.dataDir, 'signer.sock'), deadlineMs: SIGNER_DEADLINE_MS })
  const organizations = new Organizations(store)
  const receipts = new Receipts(store)
  const { named, records, ...made } = openRecords(store, nowMs)
  const steps = new Steps({ store, signer, organizations, named, records, receipts, nowMs })
  const queues = openQueues(logger)
  const { activityHoldMs: holdMs, activitiesUnderWayMax: underWayMax } = config
  const carrier = new Carrier(store, steps, queues, { holdMs, underWayMax, logger })
  const submit = new Submit(store, carrier, { timestampAgeMaxMs: config.timestampAgeMaxMs, nowMs })
  const activities = store.collection(activitiesSpec)
  const recovered = await carrier.recover()
  if (recovered > 0) logger.info({ recovered }, 'activities_recovered')
  const serviceKey = config.serviceKeyFile === undefined ? undefined : new ServiceKey(config.serviceKeyFile)
  const submitActivity = serviceClient(serviceKey, organizations, submit)
  const keys = relayerKeys(serviceKey?.organizationId, made.privateKeys, submitActivity)
  const chain =
    config.rpcUrl === undefined ? undefined : await openChain(config, config.rpcUrl, { store, keys, logger, nowMs })
  const chains = new Map(chain === undefined ? [] : [[chain.caip2, chain]])
  const host = { store, queues, openRateLimiter: memoryRateLimiter, submitActivity, chains, logger, nowMs }
  const running = await startPlugins(plugins, config.plugins, host)
  const routes = { pluginRoutes: running.routes }
  const app = createApp({
    store,
    signer,
    logger,
    submit,
    organizations,
    ...made,
    receipts,
    activities,
    nowMs,
    ...routes,
  })
  const { metricsPort } = config
  const metrics =
    metricsPort === undefined ? undefined : await listenForMetrics(running.metrics, config.host, metricsPort)
  const server = await listen(app, config.host, config.port)
  return {
    baseUrl: baseUrlOf(server),
    async close() {
      await stopListening(server, CLOSE_GRACE_MS)
      if (metrics !== undefined) await stopListening(metrics, CLOSE_GRACE_MS)
      await running.close()
      await chain?.close()
      await carrier.close()
      await queues.close()
      signer.close()
      await store.close()
    },
  }
}

function openChain(config: Config, rpcUrls: string[], parts: EvmChainParts): Promise<OpenEvmChain> {
  const { chainId, chainFinalityDepth: finalityDepth, chainInFlightMax: inFlightMax, chainPollMs: pollMs } = config
  return openEvmChain({ rpcUrls, chainId, finalityDepth, inFlightMax, pollMs }, parts)
}

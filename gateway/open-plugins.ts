/** Starts the chain and the plug-ins on the parts that carry activities: in gateways, which have their routes, and in workers. */
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { openEvmChain, type EvmChainParts, type OpenEvmChain } from './chains/evm-chain.ts'
import { WrongChainError } from './chains/rpc/endpoint.ts'
import { relayerKeys } from './chains/sending/signing.ts'
import type { Config } from './config.ts'
import type { Carrying } from './open-carrying.ts'
import { serviceClient } from './plugin-host/service-client.ts'
import { ServiceKeys } from './plugin-host/service-keys.ts'
import { stampedRequests } from './plugin-host/stamped-requests.ts'
import { startPlugins, type PluginSigning, type RunningPlugins } from './plugin-host/start-plugins.ts'
import { plugins } from './plugins.ts'
import { openRateLimiters } from './rate-limiter/open-rate-limiters.ts'
import { StartError } from './start-error.ts'

export async function openPlugins(config: Config, logger: Logger, carrying: Carrying): Promise<RunningPlugins> {
  const { store, queues, organizations, submit, made, checkTimestamp, nowMs } = carrying
  const serviceKeys = new ServiceKeys(config)
  const { organizationId } = serviceKeys
  const metrics = new Registry()
  const chain = await openChain(config, { store, logger, metrics, nowMs })
  const limiters = await openRateLimiters(logger, config.redisUrl)
  const signing = (plugin: string): PluginSigning => {
    const submitActivity = serviceClient(serviceKeys.of(plugin), organizations, submit, logger.child({ plugin }))
    const keys = relayerKeys(organizationId, made.privateKeys, submitActivity)
    return { submitActivity, chains: new Map(chain === undefined ? [] : [[chain.caip2, chain.signedBy(keys)]]) }
  }
  const running = await startPlugins(plugins, config.plugins, {
    store,
    queues,
    limiters,
    signing,
    stampedRequests: stampedRequests(organizations, organizationId, { checkTimestamp, nowMs }),
    logger,
    nowMs,
  })
  return {
    ...running,
    metrics: [metrics, ...running.metrics],
    async close() {
      await running.close()
      await chain?.close()
      await limiters.close()
    },
  }
}

/** @returns undefined where no endpoint is set. @throws {StartError} when one is of another chain. */
async function openChain(config: Config, parts: EvmChainParts): Promise<OpenEvmChain | undefined> {
  const { rpcUrl: rpcUrls, chainId, chainFinality: finality, chainFinalityDepth: finalityDepth } = config
  if (rpcUrls === undefined) return undefined
  const { chainInFlightMax: inFlightMax, chainPollMs: pollMs } = config
  try {
    return await openEvmChain({ rpcUrls, chainId, finality, finalityDepth, inFlightMax, pollMs }, parts)
  } catch (error) {
    if (!(error instanceof WrongChainError)) throw error
    throw new StartError(`an endpoint of KEYSTEAD_RPC_URL is of another chain than ${chainId}, the KEYSTEAD_CHAIN_ID`)
  }
}

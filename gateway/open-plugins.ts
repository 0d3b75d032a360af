/** Starts the plug-ins on the parts that carry activities: in gateways, which have their routes, and in workers. */
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Carrying } from './open-carrying.ts'
import { memoryRateLimiter } from './plugin-host/memory-rate-limiter.ts'
import { serviceClient } from './plugin-host/service-client.ts'
import { ServiceKey } from './plugin-host/service-key.ts'
import { startPlugins, type RunningPlugins } from './plugin-host/start-plugins.ts'
import { plugins } from './plugins.ts'

export function openPlugins(config: Config, logger: Logger, carrying: Carrying): Promise<RunningPlugins> {
  const { store, queues, organizations, submit, nowMs } = carrying
  const serviceKey = config.serviceKeyFile === undefined ? undefined : new ServiceKey(config.serviceKeyFile)
  const submitActivity = serviceClient(serviceKey, organizations, submit)
  const host = { store, queues, openRateLimiter: memoryRateLimiter, submitActivity, chains: new Map(), logger, nowMs }
  return startPlugins(plugins, config.plugins, host)
}

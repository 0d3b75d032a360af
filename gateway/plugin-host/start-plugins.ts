/** Starts the plug-ins and gives each what the API promises, under names of its own. */
import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { Chain } from '../chains/chain.ts'
import type { Plugin, PluginHost, RunningPlugin } from '../plugin-api.ts'
import type { Queues } from '../queue/queue.ts'
import type { RateLimiters } from '../rate-limiter/rate-limiter.ts'
import { StoreMisuseError } from '../store/store-errors.ts'
import type { Store } from '../store/store.ts'
import { camelCase } from './names.ts'
import type { SubmitActivity } from './service-client.ts'
import type { StampedRequests } from './stamped-requests.ts'

export interface HostParts {
  store: Store
  queues: Queues
  limiters: Pick<RateLimiters, 'open'>
  /** What the plug-in of this name may have signed. */
  signing: (plugin: string) => PluginSigning
  stampedRequests: StampedRequests
  logger: Logger
  nowMs: () => number
}

/** With the plug-in's own service key. */
export interface PluginSigning {
  submitActivity: SubmitActivity
  chains: ReadonlyMap<string, Chain>
}

export interface RunningPlugins {
  routes: Middleware[]
  metrics: Registry[]
  close(): Promise<void>
}

/** @param settings What was read for each plug-in, by its name. */
export async function startPlugins(
  plugins: readonly Plugin[],
  settings: Readonly<Record<string, Record<string, unknown>>>,
  parts: HostParts,
): Promise<RunningPlugins> {
  const running: RunningPlugin[] = []
  const metrics: Registry[] = []
  for (const plugin of plugins) {
    const host = hostOf(plugin, parts)
    metrics.push(host.metrics)
    running.push(await plugin.start(host, settings[plugin.name] ?? {}))
  }
  return {
    routes: running.flatMap(({ routes }) => (routes === undefined ? [] : [routes])),
    metrics,
    async close() {
      for (const each of running.toReversed()) await each.close?.()
    },
  }
}

function hostOf({ name, collections }: Plugin, parts: HostParts): PluginHost {
  const foreign = collections.find((spec) => !spec.name.startsWith(camelCase(name)))
  if (foreign !== undefined) throw new StoreMisuseError(`${name}: ${foreign.name} does not begin with its name`)
  return {
    collection(spec) {
      if (!collections.some((stated) => stated === spec))
        throw new StoreMisuseError(`${name} did not state ${spec.name}`)
      return parts.store.collection(spec)
    },
    openQueue: (spec, handler) => parts.queues.open({ ...spec, name: `${name}-${spec.name}` }, handler),
    openRateLimiter: (spec) => parts.limiters.open({ ...spec, name: `${name}-${spec.name}` }),
    ...parts.signing(name),
    ...parts.stampedRequests,
    metrics: new Registry(),
    logger: parts.logger.child({ plugin: name }),
    nowMs: parts.nowMs,
  }
}

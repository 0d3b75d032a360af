/** The gas relay: sponsored EIP-7702 transactions against a prepaid tank. */
import { definePlugin, describeBug, isEvmChain, type PluginHost } from '../../gateway/plugin-api.ts'
import { openRelay, relaySpecs, type Relay } from './relay.ts'
import { relayRoutes } from './routes.ts'
import { settingsSchema } from './settings.ts'

/** How often rows are looked for that nobody carries any more. */
const SWEEP_MS = 15_000

export const gasRelay = definePlugin({
  name: 'gas-relay',
  settings: settingsSchema,
  collections: relaySpecs,
  async start(host, settings) {
    const chain = host.chains.get(settings.network)
    // Without its chain there is nothing to sponsor, and no route that could only say so.
    if (chain === undefined || !isEvmChain(chain)) return {}
    const relay = await openRelay(host, settings, chain)
    await sweep(relay, host)
    const timer = setInterval(() => void sweep(relay, host), SWEEP_MS)
    return { routes: relayRoutes(relay).routes() as never, close: () => Promise.resolve(clearInterval(timer)) }
  },
})

/** The next one finds what this one misses. */
async function sweep(relay: Relay, { logger }: PluginHost): Promise<void> {
  try {
    await relay.sweep()
  } catch (error) {
    logger.warn(describeBug(error), 'sweep_failed')
  }
}

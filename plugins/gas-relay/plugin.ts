/** The gas relay: sponsored EIP-7702 transactions against a prepaid tank. */
import { definePlugin, isEvmChain } from '../../gateway/plugin-api.ts'
import { openRelay, relaySpecs } from './relay.ts'
import { relayRoutes } from './routes.ts'
import { settingsSchema } from './settings.ts'

export const gasRelay = definePlugin({
  name: 'gas-relay',
  settings: settingsSchema,
  collections: relaySpecs,
  async start(host, settings) {
    const chain = host.chains.get(settings.network)
    // Without its chain there is nothing to sponsor, and no route that could only say so.
    if (chain === undefined || !isEvmChain(chain)) return {}
    return { routes: relayRoutes(await openRelay(host, settings, chain)).routes() as never }
  },
})

/** Puts the parts of a gateway together. The order of closing is the reverse of the way of a request. */
import type { Logger } from 'pino'
import { operatorSocketOf, type Config } from './config.ts'
import { activitiesSpec } from './documents.ts'
import { createApp } from './http/app.ts'
import { listenForMetrics } from './http/metrics.ts'
import { baseUrlOf, listen, stopListening } from './http/server.ts'
import { openCarrying } from './open-carrying.ts'
import { openPlugins } from './open-plugins.ts'
import { listenForOperator } from './operator/operator-socket.ts'
import { CLOSE_GRACE_MS, type Running } from './run-process.ts'

export async function startGateway(config: Config, logger: Logger): Promise<Running & { baseUrl: string }> {
  const carrying = await openCarrying(config, logger, false)
  const { store, made, carrier: _, ...parts } = carrying
  await carrying.start()
  const plugins = await openPlugins(config, logger, carrying)
  const activities = store.collection(activitiesSpec)
  const app = createApp({ ...parts, ...made, store, activities, logger, pluginRoutes: plugins.routes })
  const { host, metricsPort } = config
  const metrics = metricsPort === undefined ? undefined : await listenForMetrics(plugins.metrics, host, metricsPort)
  const operator = await listenForOperator(operatorSocketOf(config), parts.organizations)
  const server = await listen(app, host, config.port)
  return {
    baseUrl: baseUrlOf(server),
    async close() {
      await Promise.all([server, operator].map((each) => stopListening(each, CLOSE_GRACE_MS)))
      if (metrics !== undefined) await stopListening(metrics, CLOSE_GRACE_MS)
      await plugins.close()
      await carrying.close()
    },
  }
}

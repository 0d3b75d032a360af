/** Puts the parts of a worker together: it carries on what requests have left, and takes none itself. */
import type { Server } from 'node:http'
import Koa from 'koa'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { healthRoutes } from './http/routes/health.ts'
import { listenForMetrics } from './http/metrics.ts'
import { baseUrlOf, listen, stopListening } from './http/server.ts'
import { openCarrying, type Carrying } from './open-carrying.ts'
import { openPlugins } from './open-plugins.ts'
import { CLOSE_GRACE_MS, type Running } from './run-process.ts'

export interface RunningWorker extends Running {
  healthUrl?: string
  metricsUrl?: string
}

/** @param config With a Redis: jobs that are kept in memory no other process can see. */
export async function startWorker(config: Config, logger: Logger): Promise<RunningWorker> {
  const carrying = await openCarrying(config, logger, true)
  await carrying.start()
  const plugins = await openPlugins(config, logger, carrying)
  const health = await listenForHealth(config, carrying)
  const { host, workerMetricsPort: port } = config
  const metrics = port === undefined ? undefined : await listenForMetrics(plugins.metrics, host, port)
  return {
    ...(health && { healthUrl: baseUrlOf(health) }),
    ...(metrics && { metricsUrl: baseUrlOf(metrics) }),
    async close() {
      for (const server of [health, metrics]) if (server !== undefined) await stopListening(server, CLOSE_GRACE_MS)
      await plugins.close()
      await carrying.close()
    },
  }
}

/** `/healthz` and `/readyz`, for whoever restarts workers. */
async function listenForHealth(
  { host, workerHealthPort: port }: Config,
  carrying: Carrying,
): Promise<Server | undefined> {
  if (port === undefined) return undefined
  const app = new Koa()
  app.silent = true
  app.use(healthRoutes(carrying, true).routes() as Koa.Middleware)
  return listen(app, host, port)
}

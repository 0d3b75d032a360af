/** Puts the parts of a worker together: it carries on what requests have left, and takes none itself. */
import type { Server } from 'node:http'
import Koa from 'koa'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { healthRoutes } from './http/routes/health.ts'
import { baseUrlOf, listen, stopListening } from './http/server.ts'
import { openCarrying, type Carrying } from './open-carrying.ts'
import { openPlugins } from './open-plugins.ts'
import { CLOSE_GRACE_MS, type Running } from './run-process.ts'

/** @throws when jobs are kept in memory, where no other process can see them. */
export async function startWorker(config: Config, logger: Logger): Promise<Running & { healthUrl?: string }> {
  const carrying = await openCarrying(config, logger, true)
  await carrying.start()
  const plugins = await openPlugins(config, logger, carrying)
  const server = await listenForHealth(config, carrying)
  return {
    ...(server && { healthUrl: baseUrlOf(server) }),
    async close() {
      if (server !== undefined) await stopListening(server, CLOSE_GRACE_MS)
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

import type { Middleware } from 'koa'
import type { Logger } from 'pino'

/** One line per request: what, how it ended, how long. Never a body, a header or a query string. */
export function requestLog(logger: Logger): Middleware {
  return async (context, next) => {
    const startedMs = performance.now()
    await next()
    const tookMs = Math.round((performance.now() - startedMs) * 100) / 100
    logger.info({ method: context.method, path: context.path.slice(0, 128), status: context.status, tookMs }, 'request')
  }
}

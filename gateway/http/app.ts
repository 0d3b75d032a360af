import Koa from 'koa'
import type { Logger } from 'pino'
import { ApiError } from './errors.ts'
import { errors } from './middleware/errors.ts'
import { requestLog } from './middleware/request-log.ts'
import { healthRoutes, type HealthParts } from './routes/health.ts'
import { publicRoutes, type PublicRouteParts } from './routes/public.ts'
import type { Store } from '../store/store.ts'

export interface AppParts extends PublicRouteParts, HealthParts {
  store: Store
  logger: Logger
  pluginRoutes: readonly Koa.Middleware[]
}

/** The whole HTTP surface in order. */
export function createApp(parts: AppParts): Koa {
  const app = new Koa()
  // Koa's own log prints stacks to stderr; what gets here has been answered and logged already.
  app.silent = true
  app.use(requestLog(parts.logger))
  app.use(errors(parts.logger))
  app.use(async (context, next) => {
    // RFC 9112 section 3.2.
    if (context.req.httpVersion === '1.1' && context.get('Host') === '') throw new ApiError('REQUEST_MALFORMED')
    await next()
  })
  for (const router of [healthRoutes(parts, false), publicRoutes(parts)]) {
    app.use(router.routes() as Koa.Middleware)
  }
  for (const routes of parts.pluginRoutes) app.use(routes)
  app.use((context) => {
    const { matched = [] } = context as { matched?: { methods: string[] }[] }
    const methods = matched.flatMap((route) => route.methods)
    if (methods.length === 0) throw new ApiError('ROUTE_NOT_FOUND')
    context.set('Allow', [...new Set(methods)].join(', '))
    throw new ApiError('METHOD_NOT_ALLOWED')
  })
  return app
}

import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import { describeBug } from '../../describe-bug.ts'
import { RateLimiterUnavailableError } from '../../rate-limiter/rate-limiter.ts'
import { StoreUnavailableError } from '../../store/store-errors.ts'
import { ApiError, presentError } from '../errors.ts'
import { respondJson } from '../respond.ts'
import { discardRest } from './body.ts'

/** A refusal leaves as its row of the table; anything else is a bug: 500 without text, logged without input. */
export function errors(logger: Logger): Middleware {
  return async (context, next) => {
    try {
      await next()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.code === 'INTERNAL') logger.error({ ...describeBug(error), path: context.path.slice(0, 128) }, 'bug')
      if (refusal.code === 'UNAVAILABLE') logger.warn({ reason: (error as Error).message }, 'unavailable')
      respondJson(context, refusal.status, presentError(refusal))
      if (refusal.code === 'BODY_TOO_LARGE' || refusal.code === 'REQUEST_MALFORMED') discardRest(context)
    }
  }
}

function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof StoreUnavailableError || error instanceof RateLimiterUnavailableError)
    return new ApiError('UNAVAILABLE')
  return new ApiError('INTERNAL')
}

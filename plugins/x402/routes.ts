/** `GET /supported`, `POST /verify`, `POST /settle`. No authentication: limits, the policy and the budgets protect them. */
import Router from '@koa/router'
import type { Context } from 'koa'
import { respondJson, StoreUnavailableError } from '../../gateway/plugin-api.ts'
import { readAsked, type Asked } from './asked.ts'
import { clientIp } from './client-ip.ts'
import type { Judge } from './judge.ts'
import type { Limited, Limits } from './limits.ts'
import { refuse, statusOf, type Refusal } from './reasons.ts'
import type { Scheme } from './schemes/scheme.ts'
import type { Settle } from './settle.ts'
import { supported } from './supported.ts'
import { verify } from './verify.ts'
import { presentSettle, presentVerify, type SettleOutcome } from './wire/answers.ts'
import type { NetworkNames } from './wire/network-names.ts'

export type Route = 'verify' | 'settle'

export interface RouteParts {
  readonly schemes: readonly Scheme[]
  readonly names: NetworkNames
  readonly limits: Limits
  readonly judge: Judge
  readonly settle: Settle
  readonly trustedProxies: number
  /** Told of each answer; `ok` is no reason. */
  readonly count: (route: Route, reason: string) => void
}

export function x402Routes(parts: RouteParts): Router {
  const router = new Router({ prefix: '/x402/v1', sensitive: true, strict: true })
  router.use(async (context, next) => {
    context.set('Cache-Control', 'no-store')
    await next()
  })
  router.get('/supported', async (context) => respondJson(context, 200, await supported(parts.schemes, parts.names)))
  for (const route of ['verify', 'settle'] as const) {
    router.post(`/${route}`, async (context) => {
      const limited = await limitOfRequest(parts, context, route)
      const asked = await readAsked(context, parts.schemes, parts.names)
      answer(parts, context, route, asked, limited ?? (await known(route, asked, outcomeOf(parts, route, asked))))
    })
  }
  return router
}

/** Every request counts, also a malformed one, before its body is read. */
function limitOfRequest(parts: RouteParts, context: Context, route: Route): Promise<Limited | undefined> {
  const socketIp = context.req.socket.remoteAddress ?? ''
  return parts.limits.ofRequest(route, clientIp(socketIp, context.get('X-Forwarded-For'), parts.trustedProxies))
}

function outcomeOf(parts: RouteParts, route: Route, asked: Asked): Promise<SettleOutcome | Limited> {
  const { request, payer, networkName, unreadStatus: status } = asked
  if (request === undefined) return Promise.resolve({ payer, networkName, refusal: refuse('invalid_request'), status })
  return route === 'settle'
    ? parts.settle.settle(request, payer)
    : verify(parts.judge, request, payer).then((outcome) => ({ networkName, ...outcome }))
}

/**
 * Without the store nobody can tell what became of a settlement, so it is never called failed: it is answered as under
 * way, with 503, and may be asked again.
 */
async function known(
  route: Route,
  { payer, networkName }: Asked,
  outcome: Promise<SettleOutcome | Limited>,
): Promise<SettleOutcome | Limited> {
  try {
    return await outcome
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    const reason = route === 'settle' ? 'x402_settlement_in_flight' : 'x402_gas_estimate_unavailable'
    return { payer, networkName, refusal: refuse(reason), status: 503 }
  }
}

function answer(
  parts: RouteParts,
  context: Context,
  route: Route,
  { version, payer, networkName }: Asked,
  outcome: SettleOutcome | Limited,
): void {
  const told: SettleOutcome = 'retryAfterMs' in outcome ? { payer, networkName, refusal: outcome.refusal } : outcome
  if ('retryAfterMs' in outcome) context.set('Retry-After', String(Math.max(1, Math.ceil(outcome.retryAfterMs / 1000))))
  const refusal: Refusal = told.refusal ?? { code: 'ok' }
  parts.count(route, refusal.code)
  const { status = statusOf(refusal.code) } = told
  respondJson(context, status, route === 'settle' ? presentSettle(version, told) : presentVerify(version, told))
}

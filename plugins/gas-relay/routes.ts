/** `/public/v1/relay/*`, stamped by the organization; `/admin/relay/deposit`, stamped by the operator. */
import Router from '@koa/router'
import type { Context } from 'koa'
import type { z } from 'zod'
import {
  ApiError,
  BadCursorError,
  respondJson,
  type PluginHost,
  type Sender,
  type StampedRequest,
} from '../../gateway/plugin-api.ts'
import { l1FeeBound } from './checks/cost.ts'
import type { ChainReads } from './checks/chain-reads.ts'
import { allowedToken } from './gas-token/gas-payment.ts'
import { quoteAt } from './gas-token/quote.ts'
import { presentError, RelayError, reasons } from './reasons.ts'
import { gasTokenSettings, type Settings } from './settings.ts'
import type { Submit } from './submit.ts'
import { tankId } from './tank/tank.ts'
import type { Carrier } from './transactions/carrier.ts'
import { isOver, type TransactionDocument } from './transactions/transaction.ts'
import { billingUsage } from './usage/billing.ts'
import type { UsageParts, Window } from './usage/debits.ts'
import { tokenUsage } from './usage/tokens.ts'
import { presentBalance, presentTransaction } from './wire/present.ts'
import {
  balanceSchema,
  billingUsageSchema,
  cancelSchema,
  depositSchema,
  listSchema,
  oneSchema,
  quoteSchema,
  tokenUsageSchema,
} from './wire/requests.ts'
import { submitSchema } from './wire/submission.ts'

export interface RouteParts extends UsageParts {
  readonly host: Pick<PluginHost, 'readStamped' | 'readStampedByOperator' | 'nowMs'>
  readonly settings: Settings
  readonly submit: Submit
  readonly carrier: Carrier
  readonly reads: ChainReads
  readonly sender: () => Sender
  /** Told of each answer; `ok` is no reason. */
  readonly count: (route: string, reason: string) => void
}

type Answerer = (parts: RouteParts, request: StampedRequest) => Promise<object>

const organizationRoutes: Record<string, Answerer> = {
  submit_transaction: submitTransaction,
  get_transaction: async (parts, request) =>
    shown(parts, await ownTransaction(parts, request, read(oneSchema, request).id)),
  list_transactions: listTransactions,
  cancel_transaction: cancelTransaction,
  billing_usage: billing,
  token_usage: tokens,
  quote_gas_payment: quoteGasPayment,
  get_balance: balance,
}

export function relayRoutes(parts: RouteParts): Router {
  const router = new Router({ sensitive: true, strict: true })
  for (const [name, answer] of Object.entries(organizationRoutes)) {
    router.post(`/public/v1/relay/${name}`, (context) =>
      respond(parts, context, name, async () => answer(parts, await parts.host.readStamped(context))),
    )
  }
  router.post('/admin/relay/deposit', (context) =>
    respond(parts, context, 'deposit', async () => deposit(parts, await parts.host.readStampedByOperator(context))),
  )
  return router
}

async function respond(parts: RouteParts, context: Context, route: string, work: () => Promise<object>): Promise<void> {
  context.set('Cache-Control', 'no-store')
  try {
    respondJson(context, 200, await work())
    parts.count(route, 'ok')
  } catch (error) {
    const refusal =
      error instanceof BadCursorError ? new RelayError('relay_invalid_request', { field: 'cursor' }) : error
    if (!(refusal instanceof RelayError)) throw refusal
    parts.count(route, refusal.reason)
    respondJson(context, reasons[refusal.reason].status, presentError(refusal))
  }
}

function read<T extends z.ZodType>(schema: T, { json }: StampedRequest): z.infer<T> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.') ?? ''
  // The path of an unknown member would be the input's.
  throw new RelayError('relay_invalid_request', /^[\w.]{1,80}$/.test(path) ? { field: path } : {})
}

async function submitTransaction(parts: RouteParts, request: StampedRequest): Promise<object> {
  if (request.readsOnly) throw new ApiError('REQUEST_NOT_AUTHORIZED')
  const { parameters } = read(submitSchema, request)
  return shown(parts, await parts.submit.submit(request.organizationId, request.digest, parameters))
}

/** With the blocks from its own to the head, both counted: 0 while it is in none, null when the chain does not say. */
async function shown({ sender, reads }: RouteParts, document: TransactionDocument): Promise<object> {
  const ended = document.closed === true ? document.closing?.gas?.blockNumber : undefined
  const block = ended ?? (await sender().get(document._id))?.inclusion?.blockNumber
  if (block === undefined) return presentTransaction(document, 0)
  const height = await reads.height().catch(() => undefined)
  return presentTransaction(document, height === undefined ? null : Math.max(0, Number(height - BigInt(block)) + 1))
}

async function ownTransaction(
  { transactions }: RouteParts,
  { organizationId }: StampedRequest,
  id: string,
): Promise<TransactionDocument> {
  const found = await transactions.get(id)
  const isOwn = found !== undefined && found.organizationId === organizationId && found.phase !== 'refused'
  if (!isOwn) throw new RelayError('relay_transaction_not_found')
  return found
}

async function listTransactions(parts: RouteParts, request: StampedRequest): Promise<object> {
  const { limit, cursor } = read(listSchema, request)
  const { items, next } = await parts.transactions.list(request.organizationId, limit, cursor)
  const told = items.filter(({ phase }) => phase !== 'refused')
  const all = await Promise.all(told.map((document) => shown(parts, document)))
  return { transactions: all, next_cursor: next ?? null }
}

/** What is signed may be mined all the same: then that is its end. */
async function cancelTransaction(parts: RouteParts, request: StampedRequest): Promise<object> {
  if (request.readsOnly) throw new ApiError('REQUEST_NOT_AUTHORIZED')
  const { id } = read(cancelSchema, request)
  for (;;) {
    const found = await ownTransaction(parts, request, id)
    if (found.cancelled === true) return shown(parts, await parts.carrier.carry(id))
    if (isOver(found)) throw new RelayError('relay_not_cancellable')
    if ((await parts.transactions.replace(found, { cancelled: true })) === undefined) continue
    return shown(parts, await parts.carrier.carry(id))
  }
}

function billing(parts: RouteParts, request: StampedRequest): Promise<object> {
  const { groupBy, ...asked } = read(billingUsageSchema, request)
  return usage(parts, request, asked, (tank, page) => billingUsage(parts, tank, { ...page, groupBy }))
}

function tokens(parts: RouteParts, request: StampedRequest): Promise<object> {
  return usage(parts, request, read(tokenUsageSchema, request), (tank, page) => tokenUsage(parts, tank, page))
}

/** What both kinds of usage are asked with, and say first. */
async function usage(
  { settings }: RouteParts,
  { organizationId }: StampedRequest,
  { caip2 = settings.network, fromMs, toMs, limit, cursor }: z.infer<typeof tokenUsageSchema>,
  roll: (tank: string, page: Window & { limit: number; cursor: string | undefined }) => Promise<object>,
): Promise<object> {
  const window = {
    from_ms: fromMs === undefined ? null : String(fromMs),
    to_ms: toMs === undefined ? null : String(toMs),
  }
  const page = { fromMs: fromMs ?? 0, toMs: toMs ?? Infinity, limit, cursor }
  return { organization_id: organizationId, window, ...(await roll(tankId(organizationId, caip2), page)) }
}

/** What a batch has to pay to the collector for so much gas, as of now. */
async function quoteGasPayment({ settings, reads, host }: RouteParts, request: StampedRequest): Promise<object> {
  const { caip2 = settings.network, gas_token, gasLimit, dataBytes } = read(quoteSchema, request)
  if (caip2 !== settings.network) throw new RelayError('relay_chain_not_supported')
  const terms = gasTokenSettings(settings)
  const { collector, ...token } = allowedToken(terms, gas_token)
  const [quote, l1Fee] = await Promise.all([quoteAt(reads, token, terms, host.nowMs()), l1FeeBound(reads, dataBytes)])
  return {
    quote_id: quote.blockHash,
    gas_token,
    collector,
    amount: String(quote.amountOf(gasLimit, l1Fee)),
    decimals: quote.decimals,
    valid_until_block: String(quote.validUntilBlock),
  }
}

async function balance({ settings, tanks, host }: RouteParts, request: StampedRequest): Promise<object> {
  const { organizationId } = request
  const { caip2 = settings.network } = read(balanceSchema, request)
  return presentBalance(organizationId, caip2, await tanks.read(tankId(organizationId, caip2)), host.nowMs())
}

async function deposit({ settings, tanks, host }: RouteParts, request: StampedRequest): Promise<object> {
  const { amount, reference, caip2 = settings.network } = read(depositSchema, request)
  if (amount > settings.depositMax) throw new RelayError('relay_invalid_request', { field: 'amount' })
  if (caip2 !== settings.network) throw new RelayError('relay_chain_not_supported')
  const { organizationId } = request
  const id = tankId(organizationId, caip2)
  const entry = await tanks.deposit(id, reference, amount)
  if (entry === undefined) throw new RelayError('relay_reference_conflict')
  const now = presentBalance(organizationId, caip2, await tanks.read(id), host.nowMs())
  return { entry_id: entry.operation, amount: String(amount), ...now }
}

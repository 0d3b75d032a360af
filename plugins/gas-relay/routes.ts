/** `/public/v1/relay/*`, stamped by the organization; `/admin/relay/deposit`, stamped by the operator. */
import Router from '@koa/router'
import type { Context } from 'koa'
import { BadCursorError, respondJson, type PluginHost } from '../../gateway/plugin-api.ts'
import { billingUsage } from './operations/billing-usage.ts'
import { cancelTransaction } from './operations/cancel-transaction.ts'
import { deposit } from './operations/deposit.ts'
import { getBalance } from './operations/get-balance.ts'
import { getTransaction } from './operations/get-transaction.ts'
import { listTransactions } from './operations/list-transactions.ts'
import type { Operation, OperationParts } from './operations/operation.ts'
import { quoteGasPayment } from './operations/quote-gas-payment.ts'
import { submitTransaction } from './operations/submit-transaction.ts'
import { tokenUsage } from './operations/token-usage.ts'
import { presentError, RelayError, reasons } from './reasons.ts'

export interface RouteParts extends OperationParts {
  readonly host: Pick<PluginHost, 'readStamped' | 'readStampedByOperator' | 'checkTimestamp' | 'nowMs'>
  /** Told of each answer; `ok` is no reason. */
  readonly count: (route: string, reason: string) => void
}

const operations: Record<string, Operation> = {
  submit_transaction: submitTransaction,
  get_transaction: getTransaction,
  list_transactions: listTransactions,
  cancel_transaction: cancelTransaction,
  billing_usage: billingUsage,
  token_usage: tokenUsage,
  quote_gas_payment: quoteGasPayment,
  get_balance: getBalance,
}

export function relayRoutes(parts: RouteParts): Router {
  const router = new Router({ sensitive: true, strict: true })
  for (const [name, operation] of Object.entries(operations)) {
    router.post(`/public/v1/relay/${name}`, (context) =>
      respond(parts, context, name, async () => operation(parts, await parts.host.readStamped(context))),
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

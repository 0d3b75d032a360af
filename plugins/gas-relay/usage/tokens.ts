/** `token_usage`: what an organization's accounts have paid for gas in tokens, one row for each transaction that said so. */
import { gasTokenAmountOf } from '../transactions/transaction.ts'
import { namesOf } from './billing.ts'
import { debitsPage, type UsageParts, type Window } from './debits.ts'

interface TokenTotal {
  chain_id: string
  gas_token: string
  decimals: number
  transactions: number
  gas_token_amount: bigint
}

/** Totals are the page's, of each token apart: amounts of different tokens are never added. */
export async function tokenUsage(
  parts: UsageParts,
  tankId: string,
  query: Window & { limit: number; cursor?: string | undefined },
): Promise<object> {
  const { debits, next } = await debitsPage(parts, tankId, query, query)
  const totals = new Map<string, TokenTotal>()
  const usage = debits.flatMap(({ amount, transaction }) => {
    const { gasPayment, network: chain_id } = transaction
    if (gasPayment === undefined) return []
    const { token: gas_token, decimals } = gasPayment
    const gas_token_amount = gasTokenAmountOf(transaction) ?? '0'
    const none = { chain_id, gas_token, decimals, transactions: 0, gas_token_amount: 0n }
    const total = totals.get(gas_token) ?? none
    totals.set(gas_token, {
      ...total,
      transactions: total.transactions + 1,
      gas_token_amount: total.gas_token_amount + BigInt(gas_token_amount),
    })
    return [{ ...namesOf(transaction), gas_token, gas_token_amount, decimals, native_amount: String(amount) }]
  })
  const told = [...totals.values()].map((total) => ({ ...total, gas_token_amount: String(total.gas_token_amount) }))
  return { totals: told, usage, next_cursor: next ?? null }
}

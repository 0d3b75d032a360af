/** `billing_usage`: what the gas of an organization has cost, one row for each debit, or summed by day or account. */
import type { TransactionDocument } from '../transactions/transaction.ts'
import { dateOf } from '../tank/journal-entry.ts'
import { allDebits, debitsPage, type Debit, type UsageParts, type Window } from './debits.ts'

export interface UsageQuery extends Window {
  readonly groupBy: 'none' | 'day' | 'from'
  readonly limit: number
  readonly cursor?: string | undefined
}

/** @throws {RelayError} `relay_window_too_large`, for groups only: pages have any size. */
export async function billingUsage(parts: UsageParts, tankId: string, query: UsageQuery): Promise<object> {
  const { groupBy } = query
  if (groupBy === 'none') {
    const { debits, next } = await debitsPage(parts, tankId, query, query)
    return { totals: totalsOf(debits), usage: debits.map(rowOf), next_cursor: next ?? null }
  }
  const debits = await allDebits(parts, tankId, query)
  const groups = Map.groupBy(debits, ({ atMs, transaction }) => (groupBy === 'day' ? dateOf(atMs) : transaction.from))
  const usage = [...groups].map(([name, group]) => ({ [groupBy]: name, ...totalsOf(group) }))
  return { totals: totalsOf(debits), usage, next_cursor: null }
}

/** Of a cancel the cost alone is known. */
function totalsOf(debits: readonly Debit[]): object {
  const sum = (amountOf: (debit: Debit) => bigint) => String(debits.reduce((all, each) => all + amountOf(each), 0n))
  return {
    transactions: debits.length,
    gas_used: sum(({ transaction }) => BigInt(gasOf(transaction)?.gasUsed ?? 0)),
    native_amount: sum(({ amount }) => amount),
    l1_fee: sum(({ transaction }) => BigInt(gasOf(transaction)?.l1Fee ?? 0)),
  }
}

function rowOf({ atMs, amount, transaction }: Debit): object {
  const { closing, phase } = transaction
  const gas = gasOf(transaction)
  return {
    ...namesOf(transaction),
    outcome: closing?.phase ?? phase,
    gas_used: gas?.gasUsed ?? null,
    effective_gas_price: gas?.effectiveGasPrice ?? null,
    l1_fee: gas?.l1Fee ?? null,
    native_amount: String(amount),
    debited_at_ms: String(atMs),
  }
}

/** What every usage row begins with. To its organization the relay transaction is the activity. */
export function namesOf(transaction: TransactionDocument) {
  const { _id: id, network, from } = transaction
  const tx_hash = gasOf(transaction)?.hash ?? ''
  return { activity_id: id, relay_transaction_id: id, chain_id: network, from, tx_hash }
}

function gasOf({ closing }: TransactionDocument) {
  return closing?.gas
}

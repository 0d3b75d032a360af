/** What the gas of an organization has cost, from the journal: over all pages it adds up to what the tank was debited. */
import type { Collection } from '../../gateway/plugin-api.ts'
import { journalId, sumOf, type JournalDocument } from './tank/journal-entry.ts'
import { operationName } from './tank/tank.ts'
import type { Tanks } from './tank/tanks.ts'
import type { Transactions } from './transactions/transactions.ts'

export interface UsageParts {
  readonly tanks: Tanks
  readonly journal: Collection<JournalDocument>
  readonly transactions: Transactions
}

/** Newest first. What a reorganization took back is not in it. */
export async function billingUsage(
  { tanks, journal, transactions }: UsageParts,
  organizationId: string,
  tankId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<object> {
  await tanks.flush(tankId)
  const query = { where: { tankId }, sort: 'sequence', descending: true, limit } as const
  const { items, next } = await journal.find(cursor === undefined ? query : { ...query, after: cursor })
  const rows = await Promise.all(items.filter(({ kind }) => kind === 'settle').map(rowOf))
  const usage = rows.filter((row) => row !== undefined)
  const total = usage.reduce((sum, { native_amount }) => sum + BigInt(native_amount), 0n)
  return {
    organization_id: organizationId,
    totals: { transactions: usage.length, native_amount: String(total) },
    usage,
    next_cursor: next ?? null,
  }

  async function rowOf(entry: JournalDocument) {
    const epoch = Number(entry.operation.slice(entry.operation.lastIndexOf(':') + 1))
    const reversal = operationName({ kind: 'reverse', subject: entry.subject, epoch })
    const isReversed = (await journal.get(journalId(tankId, reversal))) !== undefined
    const transaction = await transactions.get(entry.subject)
    if (isReversed || transaction === undefined) return undefined
    const { closing, network } = transaction
    return {
      relay_transaction_id: entry.subject,
      chain_id: network,
      tx_hash: closing?.gas?.hash ?? '',
      outcome: closing?.phase ?? transaction.phase,
      gas_used: closing?.gas?.gasUsed ?? null,
      effective_gas_price: closing?.gas?.effectiveGasPrice ?? null,
      l1_fee: closing?.gas?.l1Fee ?? null,
      native_amount: String(sumOf([entry], 'spent') + sumOf([entry], 'absorbed')),
      debited_at_ms: String(entry.atMs),
    }
  }
}

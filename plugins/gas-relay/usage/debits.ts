/**
 * What a tank was debited in a window of time, newest day first, from the journal. What a reorganization took back is not
 * among it: over all time the debits add up to the tank's `debited`.
 */
import type { Collection, FindQuery, Page } from '../../../gateway/plugin-api.ts'
import { RelayError } from '../reasons.ts'
import { dayOf, journalId, sumOf, type JournalDocument } from '../tank/journal-entry.ts'
import { operationName } from '../tank/tank.ts'
import type { Tanks } from '../tank/tanks.ts'
import type { TransactionDocument } from '../transactions/transaction.ts'
import type { Transactions } from '../transactions/transactions.ts'

export interface UsageParts {
  readonly tanks: Tanks
  readonly journal: Collection<JournalDocument>
  readonly transactions: Transactions
}

/** Milliseconds; half-open: an instant belongs to one of two windows that meet in it. */
export interface Window {
  readonly fromMs: number
  readonly toMs: number
}

export interface Debit {
  readonly atMs: number
  /** Wei that the organization paid. */
  readonly amount: bigint
  readonly transaction: TransactionDocument
}

/** Of one answer that needs all of them: each is three documents. */
const DEBITS_MAX = 20_000
const PAGE = 500
/** Clocks of several processes differ: sequence and time of entries may, by less than this many days. */
const SKEW_DAYS = 1

/** @param cursor `next` of the page before. @throws {RelayError} for a cursor of another kind. */
export async function debitsPage(
  parts: UsageParts,
  tankId: string,
  window: Window,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ debits: Debit[]; next?: string }> {
  await parts.tanks.flush(tankId)
  const begun = cursor === undefined ? undefined : readCursor(cursor)
  const debits: Debit[] = []
  for (const day of await daysOf(parts.journal, tankId, window)) {
    if (begun !== undefined && day > begun.day) continue
    let after = begun?.day === day ? begun.after : undefined
    do {
      if (debits.length === limit) return { debits, next: after === undefined ? String(day) : `${day}.${after}` }
      const settled = { where: { tankId, kind: 'settle', day }, sort: 'sequence', descending: true } as const
      const query = after === undefined ? settled : { ...settled, after }
      const isInside = ({ atMs }: JournalDocument) => atMs >= window.fromMs && atMs < window.toMs
      const { items, next } = await findUpTo(parts.journal, query, isInside, limit - debits.length)
      const found = await Promise.all(items.filter(isInside).map((entry) => debitOf(parts, entry)))
      debits.push(...found.filter((debit) => debit !== undefined))
      after = next
    } while (after !== undefined)
  }
  return { debits }
}

/**
 * A page that ends, at the latest, with so many wanted ones. However few are wanted, many are read at once: of a window's
 * first and last day most entries may be outside.
 */
async function findUpTo(
  journal: Collection<JournalDocument>,
  query: Omit<FindQuery<JournalDocument>, 'limit'>,
  isWanted: (entry: JournalDocument) => boolean,
  count: number,
): Promise<Page<JournalDocument>> {
  const page = await journal.find({ ...query, limit: PAGE })
  const wanted = page.items.flatMap((entry, i) => (isWanted(entry) ? [i] : []))
  const last = wanted[count - 1]
  // The store says how to go on after the end of a page only.
  return last === undefined ? page : journal.find({ ...query, limit: last + 1 })
}

/** @throws {RelayError} `relay_window_too_large` */
export async function allDebits(parts: UsageParts, tankId: string, window: Window): Promise<Debit[]> {
  const { debits, next } = await debitsPage(parts, tankId, window, { limit: DEBITS_MAX })
  if (next !== undefined) throw new RelayError('relay_window_too_large')
  return debits
}

/** Newest first. */
async function daysOf(journal: Collection<JournalDocument>, tankId: string, { fromMs, toMs }: Window) {
  const query = { where: { tankId }, sort: 'sequence', limit: 1 } as const
  const [oldest, newest] = await Promise.all([journal.find(query), journal.find({ ...query, descending: true })])
  const [first, last] = [oldest.items[0], newest.items[0]]
  if (first === undefined || last === undefined) return []
  const low = Math.max(first.day - SKEW_DAYS, dayOf(fromMs))
  const high = Math.min(last.day + SKEW_DAYS, dayOf(toMs))
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => high - i)
}

/** The reversal is looked for after its entry was read, so that a repeated debit is never counted beside the first one. */
async function debitOf({ journal, transactions }: UsageParts, entry: JournalDocument): Promise<Debit | undefined> {
  const { tankId, subject, operation, atMs } = entry
  const epoch = Number(operation.slice(operation.lastIndexOf(':') + 1))
  const reversal = operationName({ kind: 'reverse', subject, epoch })
  if ((await journal.get(journalId(tankId, reversal))) !== undefined) return undefined
  const transaction = await transactions.get(subject)
  if (transaction === undefined) throw new Error('a debit of no transaction')
  // What the operator absorbs was not the organization's.
  return { atMs, amount: sumOf([entry], 'spent') + sumOf([entry], 'absorbed'), transaction }
}

/** The day that is under way, and after a point where its entries go on. */
function readCursor(cursor: string): { day: number; after: string | undefined } {
  const [, day, after] = /^([0-9]{1,9})(?:\.(.+))?$/.exec(cursor) ?? []
  if (day === undefined) throw new RelayError('relay_invalid_request', { field: 'cursor' })
  return { day: Number(day), after }
}

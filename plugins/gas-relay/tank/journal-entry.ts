/** The tank's journal: what moved, in double entry. Entries are written once and never changed. */
import type { CollectionSpec, StoredDocument } from '../../../gateway/plugin-api.ts'

/**
 * `operator`: what organizations have paid in (below zero, as it is the source). `available` and `reserved`: what an
 * organization may still use, and what is set aside for its transactions. `spent`: gas. `absorbed`: gas that cost more
 * than the organization had, at the operator's cost.
 */
export type Account = 'operator' | 'available' | 'reserved' | 'spent' | 'absorbed'

export interface Posting {
  from: Account
  to: Account
  /** Wei, decimal digits, above zero. */
  amount: string
}

export type EntryKind = 'deposit' | 'reserve' | 'settle' | 'release' | 'reverse'

/** What an operation did to a tank. `operation` names it: an operation is applied once, however often it is asked for. */
export interface JournalEntry {
  operation: string
  kind: EntryKind
  /** From 1, without gaps, of one tank. */
  sequence: number
  atMs: number
  postings: Posting[]
  /** The relay transaction; in deposits the reference. */
  subject: string
  /** Of a deposit, the operator's own words. */
  note?: string
}

/** `_id` is the tank's and the operation's name. */
export interface JournalDocument extends StoredDocument, JournalEntry {
  tankId: string
  /** Of `atMs`: the store finds what is equal, so that windows of time are found by their days. */
  day: number
}

export const journalSpec: CollectionSpec<JournalDocument> = {
  name: 'gasRelayJournal',
  unique: [['tankId', 'sequence']],
  indexes: [['tankId', 'kind', 'day', 'sequence']],
}

const DAY_MS = 86_400_000

/** Days since 1970-01-01, UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

/** The same day as people write it, `2026-11-21`. */
export function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export function journalId(tankId: string, operation: string): string {
  return `${tankId}:${operation}`
}

/** What came into an account, less what went out of it; wei. */
export function sumOf(entries: readonly Pick<JournalEntry, 'postings'>[], account: Account): bigint {
  let sum = 0n
  for (const { from, to, amount } of entries.flatMap(({ postings }) => postings)) {
    if (to === account) sum += BigInt(amount)
    if (from === account) sum -= BigInt(amount)
  }
  return sum
}

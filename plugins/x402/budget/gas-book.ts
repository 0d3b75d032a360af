/**
 * What settlements cost, as one document: what is set aside for those under way, and what was spent by hour and by day.
 *
 * A part of a window counts until all of it is over, so in no 24 hours and no 30 days is more spent than allowed, and up
 * to an hour, or a day, more is waited for. Pure: the store's part is gas-budget.ts.
 */
import type { StoredDocument } from '../../../gateway/plugin-api.ts'
import type { CommonReason } from '../reasons.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HOURS = 24
const DAYS = 30

export interface GasBook extends StoredDocument {
  /** By the name of what it is for: most that it can cost, in decimal digits. */
  held: Record<string, string>
  /** Spent, by hours and by days since 1970. */
  hours: Record<string, string>
  days: Record<string, string>
}

export interface GasCaps {
  readonly perDay: bigint
  readonly per30Days: bigint
}

export function emptyBook(id: string): GasBook {
  return { _id: id, v: 0, held: {}, hours: {}, days: {} }
}

/** @returns the book with `most` set aside, the same book when it is already, or why it may not be. */
export function hold(book: GasBook, name: string, most: bigint, caps: GasCaps, nowMs: number): GasBook | CommonReason {
  if (Object.hasOwn(book.held, name)) return book
  const refused = overdrawn(book, most, caps, nowMs)
  return refused ?? { ...book, held: { ...book.held, [name]: String(most) } }
}

/** @param most Of one more settlement. @returns which cap it would not leave room for. */
export function overdrawn(book: GasBook, most: bigint, caps: GasCaps, nowMs: number): CommonReason | undefined {
  const wanted = total(book.held) + most
  if (total(recent(book.hours, HOUR_MS, HOURS, nowMs)) + wanted > caps.perDay) return 'x402_daily_gas_cap_exceeded'
  if (total(recent(book.days, DAY_MS, DAYS, nowMs)) + wanted > caps.per30Days) return 'x402_monthly_gas_cap_exceeded'
  return undefined
}

/** Puts the cost in the place of what was set aside. Without that it has been done before, and nothing changes. */
export function spend(book: GasBook, name: string, cost: bigint, nowMs: number): GasBook {
  if (!Object.hasOwn(book.held, name)) return book
  const { [name]: _, ...held } = book.held
  return {
    ...book,
    held,
    hours: add(recent(book.hours, HOUR_MS, HOURS, nowMs), HOUR_MS, nowMs, cost),
    days: add(recent(book.days, DAY_MS, DAYS, nowMs), DAY_MS, nowMs, cost),
  }
}

/** What counts: parts that began up to `count` parts before this one. */
function recent(parts: Record<string, string>, partMs: number, count: number, nowMs: number): Record<string, string> {
  const first = Math.floor(nowMs / partMs) - count
  return Object.fromEntries(Object.entries(parts).filter(([part]) => Number(part) >= first))
}

function add(parts: Record<string, string>, partMs: number, nowMs: number, cost: bigint): Record<string, string> {
  if (cost === 0n) return parts
  const part = String(Math.floor(nowMs / partMs))
  return { ...parts, [part]: String(BigInt(parts[part] ?? '0') + cost) }
}

function total(amounts: Record<string, string>): bigint {
  return Object.values(amounts).reduce((sum, amount) => sum + BigInt(amount), 0n)
}

/**
 * A gas tank: what one organization has paid in on one chain, what its gas has cost, and what is set aside for its
 * transactions under way. All of it is one document, so that `deposited - debited - reserved` holds at every instant and
 * is never below zero. Pure: the store's part is tanks.ts.
 */
import type { CollectionSpec, StoredDocument } from '../../../gateway/plugin-api.ts'
import { sumOf, type Account, type JournalEntry, type Posting } from './journal-entry.ts'

/** `_id` from tankId. Amounts in wei, decimal digits. */
export interface TankDocument extends StoredDocument {
  deposited: string
  debited: string
  reserved: string
  /** By relay transaction; together they are `reserved`. */
  reservations: Record<string, string>
  /** Sequence of the last entry. */
  entries: number
  /** The entries of the last change: they are in the journal before the next one. */
  outbox: JournalEntry[]
}

export const tanksSpec: CollectionSpec<TankDocument> = { name: 'gasRelayTanks', unique: [], indexes: [] }

/** @param network CAIP-2. */
export function tankId(organizationId: string, network: string): string {
  return `${organizationId}/${network}`
}

export function tankParts(id: string): { organization: string; network: string } {
  const end = id.indexOf('/')
  return { organization: id.slice(0, end), network: id.slice(end + 1) }
}

/**
 * Amounts in wei, above zero but for `cost`. `epoch` counts the reorganizations that a transaction went through: what is
 * done again after one is another operation.
 */
export type Operation =
  | { kind: 'deposit'; subject: string; amount: bigint; note?: string | undefined }
  /** @param countMax Of reservations at once, this one included. */
  | { kind: 'reserve'; subject: string; epoch: number; amount: bigint; countMax: number }
  /** The gas is paid: its cost for what was set aside. */
  | { kind: 'settle'; subject: string; epoch: number; cost: bigint }
  /** Nothing will be paid. */
  | { kind: 'release'; subject: string; epoch: number }
  /** The block in which the gas was paid is gone: `settled` is undone, and what it took is set aside again. */
  | { kind: 'reverse'; subject: string; epoch: number; settled: JournalEntry }

export function operationName(operation: Pick<Operation, 'kind' | 'subject'> & { epoch?: number }): string {
  const { kind, subject, epoch } = operation
  return epoch === undefined ? `${kind}:${subject}` : `${kind}:${subject}:${epoch}`
}

export function emptyTank(id: string): TankDocument {
  return { _id: id, v: 0, deposited: '0', debited: '0', reserved: '0', reservations: {}, entries: 0, outbox: [] }
}

export function balanceOf({ deposited, debited, reserved }: TankDocument): bigint {
  return BigInt(deposited) - BigInt(debited) - BigInt(reserved)
}

/** @returns the tank with the entry at the end of its outbox, or undefined for a `reserve` that there is no room for. */
export function apply(tank: TankDocument, operation: Operation, atMs: number): TankDocument | undefined {
  const postings = postingsOf(tank, operation)
  if (postings === undefined) return undefined
  const sequence = tank.entries + 1
  const { kind, subject } = operation
  const note = kind === 'deposit' ? operation.note : undefined
  const plain: JournalEntry = { operation: operationName(operation), kind, sequence, atMs, postings, subject }
  const entry = note === undefined ? plain : { ...plain, note }
  const grown = (account: Account) => sumOf([entry], account)
  return {
    ...tank,
    deposited: String(BigInt(tank.deposited) - grown('operator')),
    // What the operator absorbs was not the organization's.
    debited: String(BigInt(tank.debited) + grown('spent') + grown('absorbed')),
    reserved: String(BigInt(tank.reserved) + grown('reserved')),
    reservations: withReservation(tank, subject, grown('reserved')),
    entries: sequence,
    outbox: [...tank.outbox, entry],
  }
}

/** The postings without empty ones. */
function postingsOf(tank: TankDocument, operation: Operation): Posting[] | undefined {
  const held = reservationOf(tank, operation.subject)
  const free = balanceOf(tank)
  switch (operation.kind) {
    case 'deposit':
      return moves(['operator', 'available', operation.amount])
    case 'reserve':
      return operation.amount > free || countOf(tank) >= operation.countMax
        ? undefined
        : moves(['available', 'reserved', operation.amount])
    case 'release':
      return moves(['reserved', 'available', held])
    case 'settle':
      return settlement(operation.cost, held, free)
    case 'reverse':
      return reversal(operation.settled)
  }
}

/** From what was set aside; what is missing from what is free; what is still missing is the operator's. */
function settlement(cost: bigint, held: bigint, free: bigint): Posting[] {
  const fromHeld = least(cost, held)
  const fromFree = least(cost - fromHeld, free)
  return moves(
    ['reserved', 'spent', fromHeld],
    ['reserved', 'available', held - fromHeld],
    ['available', 'spent', fromFree],
    ['absorbed', 'spent', cost - fromHeld - fromFree],
  )
}

/** Exactly what was taken is set aside, not what had been set aside before: that could be more than there is. */
function reversal(settled: JournalEntry): Posting[] {
  const absorbed = -sumOf([settled], 'absorbed')
  return moves(['spent', 'reserved', sumOf([settled], 'spent') - absorbed], ['spent', 'absorbed', absorbed])
}

function moves(...amounts: readonly (readonly [Account, Account, bigint])[]): Posting[] {
  return amounts
    .filter(([, , amount]) => amount > 0n)
    .map(([from, to, amount]) => ({ from, to, amount: String(amount) }))
}

export function countOf({ reservations }: TankDocument): number {
  return Object.keys(reservations).length
}

function reservationOf({ reservations }: TankDocument, subject: string): bigint {
  return Object.hasOwn(reservations, subject) ? BigInt(reservations[subject] as string) : 0n
}

function withReservation(tank: TankDocument, subject: string, grown: bigint): Record<string, string> {
  const { [subject]: _, ...others } = tank.reservations
  const next = reservationOf(tank, subject) + grown
  return next === 0n ? others : { ...others, [subject]: String(next) }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

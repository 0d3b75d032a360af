/** The tanks in the store: every change is one compare-and-set of one document, every operation is applied once. */
import { insertOnce, isDocumentId, type Collection } from '../../../gateway/plugin-api.ts'
import { dayOf, journalId, type JournalDocument, type JournalEntry } from './journal-entry.ts'
import { apply, countOf, emptyTank, operationName, type Operation, type TankDocument } from './tank.ts'
import { TankWriter } from './tank-writer.ts'

export interface TanksParts {
  readonly tanks: Collection<TankDocument>
  readonly journal: Collection<JournalDocument>
  readonly nowMs: () => number
}

export class Tanks {
  private readonly parts: TanksParts
  private readonly writers = new Map<string, TankWriter>()

  constructor(parts: TanksParts) {
    this.parts = parts
  }

  /** All numbers from one read. A tank that nobody has filled is empty. */
  async read(id: string): Promise<TankDocument> {
    return (await this.parts.tanks.get(id)) ?? emptyTank(id)
  }

  /**
   * @param reference Names the deposit for ever: again with the same amount it does nothing. @param note Of the first.
   * @returns the entry, undefined when the reference stands for another amount.
   */
  async deposit(id: string, reference: string, amount: bigint, note?: string): Promise<JournalEntry | undefined> {
    const entry = await this.run(id, { kind: 'deposit', subject: reference, amount, note })
    return entry?.postings[0]?.amount === String(amount) ? entry : undefined
  }

  /** Sets aside what a transaction can cost at most, unless there is too little, or too many have something set aside. */
  async reserve(
    id: string,
    transaction: string,
    { epoch, amount, countMax }: { epoch: number; amount: bigint; countMax: number },
  ): Promise<'reserved' | 'too_little' | 'too_many'> {
    const entry = await this.run(id, { kind: 'reserve', subject: transaction, epoch, amount, countMax })
    if (entry !== undefined) return 'reserved'
    return countOf(await this.read(id)) >= countMax ? 'too_many' : 'too_little'
  }

  /** Takes what a transaction has cost, and gives back the rest of what was set aside. */
  async settle(id: string, transaction: string, epoch: number, cost: bigint): Promise<void> {
    await this.run(id, { kind: 'settle', subject: transaction, epoch, cost })
  }

  async release(id: string, transaction: string, epoch: number): Promise<void> {
    await this.run(id, { kind: 'release', subject: transaction, epoch })
  }

  /** Undoes `settle` of the same epoch. @throws when there was none. */
  async reverse(id: string, transaction: string, epoch: number): Promise<void> {
    const settled = await this.entry(id, operationName({ kind: 'settle', subject: transaction, epoch }))
    if (settled === undefined) throw new Error('what is to be reversed was never settled')
    await this.run(id, { kind: 'reverse', subject: transaction, epoch, settled })
  }

  /** Of one operation, whether the journal has it already or not. */
  async entry(id: string, operation: string): Promise<JournalEntry | undefined> {
    // The document first: its entries go into the journal before they leave it.
    const { outbox } = await this.read(id)
    const waiting = outbox.find((entry) => entry.operation === operation)
    return waiting ?? (await this.parts.journal.get(journalId(id, operation)))
  }

  /** Puts into the journal what a stopped process has left, so that reading the journal misses nothing. */
  async flush(id: string): Promise<void> {
    await writeEntries(this.parts.journal, id, (await this.read(id)).outbox)
  }

  private async run(id: string, operation: Operation): Promise<JournalEntry | undefined> {
    // An entry that the journal refuses would stay in the outbox, and nothing could ever change the tank again.
    if (!isDocumentId(journalId(id, operationName(operation)))) throw new Error('no name that the journal can take')
    let writer = this.writers.get(id)
    if (writer === undefined) {
      writer = new TankWriter((operations) => this.write(id, operations))
      this.writers.set(id, writer)
    }
    return writer.run(operation)
  }

  /** @returns for each operation its entry, undefined where the tank holds too little. */
  private async write(id: string, operations: readonly Operation[]): Promise<(JournalEntry | undefined)[]> {
    const { tanks, journal, nowMs } = this.parts
    for (;;) {
      const stored = await this.stored(id)
      await writeEntries(journal, id, stored.outbox)
      const names = operations.map(operationName)
      const found = await Promise.all(names.map((name) => journal.get(journalId(id, name))))
      const known = new Map<string, JournalEntry | undefined>(names.map((name, i) => [name, found[i]]))
      let next: TankDocument = { ...stored, outbox: [] }
      for (const operation of operations) {
        const name = operationName(operation)
        if (known.get(name) !== undefined) continue
        const applied = apply(next, operation, nowMs())
        if (applied === undefined) continue
        next = applied
        known.set(name, applied.outbox.at(-1))
      }
      if (next.outbox.length > 0 && !(await tanks.compareAndSet(stored, next))) continue
      await writeEntries(journal, id, next.outbox)
      return names.map((name) => known.get(name))
    }
  }

  private async stored(id: string): Promise<TankDocument> {
    for (;;) {
      const stored = await this.parts.tanks.get(id)
      if (stored !== undefined) return stored
      await insertOnce(this.parts.tanks, emptyTank(id))
    }
  }
}

async function writeEntries(
  journal: Collection<JournalDocument>,
  tankId: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  const write = (entry: JournalEntry) =>
    insertOnce(journal, { _id: journalId(tankId, entry.operation), v: 0, tankId, day: dayOf(entry.atMs), ...entry })
  await Promise.all(entries.map(write))
}

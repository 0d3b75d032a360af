/** The budget of one chain in the store: every change is one compare-and-set, and waiting changes go together. */
import { insertOnce, type Collection, type CollectionSpec } from '../../../gateway/plugin-api.ts'
import { refuse, type Refusal } from '../reasons.ts'
import { emptyBook, hold, overdrawn, spend, type GasBook, type GasCaps } from './gas-book.ts'

export const gasBooksSpec: CollectionSpec<GasBook> = { name: 'x402GasBooks', unique: [], indexes: [] }

interface Change {
  /** Makes the next book, and remembers what is to be answered once that is stored. */
  apply(book: GasBook): GasBook
  done(): void
  failed(error: unknown): void
}

export class GasBudget {
  private readonly books: Collection<GasBook>
  private readonly id: string
  private readonly caps: GasCaps
  private readonly nowMs: () => number
  private waiting: Change[] = []
  private isWriting = false

  /** @param id Of the chain that pays. */
  constructor(books: Collection<GasBook>, id: string, caps: GasCaps, nowMs: () => number) {
    this.books = books
    this.id = id
    this.caps = caps
    this.nowMs = nowMs
  }

  /** Whether one more could be paid for now. Reads only. */
  async check(most: bigint): Promise<Refusal | undefined> {
    const reason = overdrawn(await this.read(), most, this.caps, this.nowMs())
    return reason === undefined ? undefined : refuse(reason)
  }

  /** Sets aside what a settlement can cost at most; the same name does nothing twice. */
  hold(name: string, most: bigint): Promise<Refusal | undefined> {
    let refusal: Refusal | undefined
    return this.change(
      (book) => {
        const held = hold(book, name, most, this.caps, this.nowMs())
        refusal = typeof held === 'string' ? refuse(held) : undefined
        return typeof held === 'string' ? book : held
      },
      () => refusal,
    )
  }

  /** Replaces what was set aside by the cost. */
  spend(name: string, cost: bigint): Promise<void> {
    return this.change(
      (book) => spend(book, name, cost, this.nowMs()),
      () => undefined,
    )
  }

  /** Names of all that is set aside. */
  async held(): Promise<string[]> {
    return Object.keys((await this.read()).held)
  }

  private change<T>(apply: Change['apply'], answer: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ apply, done: () => resolve(answer()), failed: reject })
      if (!this.isWriting) void this.write()
    })
  }

  /** One writer in this process; others are met in compareAndSet. */
  private async write(): Promise<void> {
    this.isWriting = true
    while (this.waiting.length > 0) {
      const changes = this.waiting
      this.waiting = []
      try {
        await this.writeTogether(changes)
        for (const change of changes) change.done()
      } catch (error) {
        for (const change of changes) change.failed(error)
      }
    }
    this.isWriting = false
  }

  private async writeTogether(changes: readonly Change[]): Promise<void> {
    for (;;) {
      const stored = await this.read()
      const next = changes.reduce((book, change) => change.apply(book), stored)
      if (next === stored || (await this.books.compareAndSet(stored, next))) return
    }
  }

  private async read(): Promise<GasBook> {
    const stored = await this.books.get(this.id)
    if (stored !== undefined) return stored
    await insertOnce(this.books, emptyBook(this.id))
    return (await this.books.get(this.id)) ?? emptyBook(this.id)
  }
}

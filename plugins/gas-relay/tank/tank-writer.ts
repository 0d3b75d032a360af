/** One writer for each tank and process: what waits meanwhile is written together, so only other processes are met. */
import type { JournalEntry } from './journal-entry.ts'
import type { Operation } from './tank.ts'

type Outcome = JournalEntry | undefined

interface Waiting {
  readonly operation: Operation
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/** Of one change; keeps the document small. */
const TOGETHER_MAX = 64

export class TankWriter {
  private readonly write: (operations: readonly Operation[]) => Promise<Outcome[]>
  private waiting: Waiting[] = []
  private isWriting = false

  constructor(write: (operations: readonly Operation[]) => Promise<Outcome[]>) {
    this.write = write
  }

  run(operation: Operation): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ operation, resolve, reject })
      if (!this.isWriting) void this.writeAll()
    })
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true
    while (this.waiting.length > 0) {
      const together = this.waiting.splice(0, TOGETHER_MAX)
      try {
        const outcomes = await this.write(together.map(({ operation }) => operation))
        together.forEach(({ resolve }, i) => resolve(outcomes[i]))
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    this.isWriting = false
  }
}

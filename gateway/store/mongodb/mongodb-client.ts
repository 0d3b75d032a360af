/**
 * The driver's client, and another in its place when it has lost its way. The driver (7.8 and 7.9) may write to a socket
 * that was destroyed in the same moment, and then waits for its `drain` for ever, beyond all of its own times: a monitor
 * to which that happens never finds the server again, and a call never ends. So each call has a time here as well.
 */
import { MongoServerSelectionError, type Db, type MongoClient } from 'mongodb'
import { StoreUnavailableError } from '../store-errors.ts'

interface Tenure {
  readonly client: MongoClient
  /** Under way; they end in time, whatever the driver does. */
  readonly calls: Set<Promise<unknown>>
}

export interface RenewingClientOptions {
  open: () => MongoClient
  /** How long one call may take with everything that the driver does for it. */
  callMs: number
}

export class RenewingClient {
  private readonly options: RenewingClientOptions
  private current: Tenure
  private readonly leaving = new Set<Promise<void>>()

  constructor(options: RenewingClientOptions) {
    this.options = options
    this.current = this.begin()
  }

  /**
   * A client that found no server, or let a call wait too long, is not used again: where nothing was wrong with it that
   * costs a connection, where something was it would have lasted until the process ends.
   * @throws {StoreUnavailableError} when the call took too long: it may have been done all the same.
   */
  async run<R>(work: (database: Db) => Promise<R>): Promise<R> {
    const used = this.current
    const call = inTime(work(used.client.db()), this.options.callMs)
    used.calls.add(call)
    try {
      return await call
    } catch (error) {
      if (error instanceof MongoServerSelectionError || error instanceof StoreUnavailableError) this.replace(used)
      throw error
    } finally {
      used.calls.delete(call)
    }
  }

  /** After all calls have ended. Nobody may call any more. */
  async close(): Promise<void> {
    this.end(this.current)
    await Promise.all(this.leaving)
  }

  private begin(): Tenure {
    return { client: this.options.open(), calls: new Set() }
  }

  private replace(used: Tenure): void {
    if (used !== this.current) return
    this.current = this.begin()
    this.end(used)
  }

  private end(tenure: Tenure): void {
    const leaving = this.closeAfterCalls(tenure).finally(() => this.leaving.delete(leaving))
    this.leaving.add(leaving)
  }

  private async closeAfterCalls({ client, calls }: Tenure): Promise<void> {
    await Promise.allSettled(calls)
    // It tells the server of the end of its sessions, which may be as stuck as everything else.
    await inTime(client.close(), this.options.callMs).catch(() => undefined)
  }
}

async function inTime<R>(work: Promise<R>, ms: number): Promise<R> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new StoreUnavailableError('the database gave no answer in time')), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

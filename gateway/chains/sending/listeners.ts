/** Who wants to know of changes: those who wait for one send, and the plug-in, which is told until it has understood. */
import { describeBug } from '../../describe-bug.ts'
import { FIND_LIMIT_MAX } from '../../store/store.ts'
import type { SendDocument } from './documents.ts'
import type { EngineParts } from './parts.ts'
import { presentSend } from './present.ts'

export class Listeners {
  private readonly parts: EngineParts
  private readonly waiting = new Map<string, Set<() => void>>()
  private readonly telling = new Map<string, Promise<void>>()

  constructor(parts: EngineParts) {
    this.parts = parts
  }

  stored(send: SendDocument): void {
    for (const wake of this.waiting.get(send._id) ?? []) wake()
    if (send.untold === 1 && !this.telling.has(send._id)) this.begin(send._id)
  }

  /** Resolves at the next change that this process stores, or after the time. */
  async changed(id: string, withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wakes = this.waiting.get(id) ?? new Set()
    this.waiting.set(id, wakes.add(resolve))
    const timer = setTimeout(resolve, withinMs)
    await promise
    clearTimeout(timer)
    wakes.delete(resolve)
    if (wakes.size === 0) this.waiting.delete(id)
  }

  /** What was not told because a process stopped, or because the plug-in failed. */
  async tellRest(): Promise<void> {
    const where = { sender: this.parts.options.name, untold: 1 }
    const { items } = await this.parts.sends.find({ where, sort: 'createdAtMs', limit: FIND_LIMIT_MAX })
    for (const { _id } of items) if (!this.telling.has(_id)) this.begin(_id)
  }

  async close(): Promise<void> {
    await Promise.all(this.telling.values())
  }

  private begin(id: string): void {
    const run = this.tell(id)
      .catch((error: unknown) => this.parts.logger.error({ send: id, ...describeBug(error) }, 'send_not_told'))
      .finally(() => this.telling.delete(id))
    this.telling.set(id, run)
  }

  /** Until what was told is what is stored. */
  private async tell(id: string): Promise<void> {
    const { sends, options } = this.parts
    for (;;) {
      const send = await sends.get(id)
      if (send === undefined || send.untold === 0) return
      await options.onChange?.(presentSend(send))
      if (await sends.compareAndSet(send, { ...send, untold: 0 })) return
    }
  }
}

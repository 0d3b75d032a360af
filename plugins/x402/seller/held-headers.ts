/** The headers of an answer at one moment, to come back to: what is not paid for gets none of those that were set since. */
import type { Context } from 'koa'

export class HeldHeaders {
  private readonly context: Context
  private readonly held: readonly (readonly [name: string, value: string | string[]])[]

  constructor(context: Context) {
    this.context = context
    // Lists are copied: cookies are added to the list that is there.
    this.held = Object.entries(context.res.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? [...value] : String(value)]],
    )
  }

  restore(): void {
    for (const name of this.context.res.getHeaderNames()) this.context.remove(name)
    for (const [name, value] of this.held) this.context.set(name, value)
  }
}

/** The smallest chain: names, balances, and a list of what was paid. Worked example of `plugins/README.md`. */
import type { Chain } from '../../../gateway/plugin-api.ts'

export interface ToyChain extends Chain {
  readonly family: 'toy'
  readonly balances: Map<string, bigint>
  /** By the name of the try: what was paid, in order. */
  readonly paid: Map<string, string>
  /** @returns false when the payer has not so much; the same name pays once. */
  pay(name: string, from: string, to: string, amount: bigint): boolean
}

export function isToyChain(chain: Chain): chain is ToyChain {
  return chain.family === 'toy'
}

export function toyChain(caip2 = 'toy:1'): ToyChain {
  const balances = new Map<string, bigint>()
  const paid = new Map<string, string>()
  return {
    caip2,
    family: 'toy',
    balances,
    paid,
    pay(name, from, to, amount) {
      if (paid.has(name)) return true
      const held = balances.get(from) ?? 0n
      if (held < amount) return false
      balances.set(from, held - amount)
      balances.set(to, (balances.get(to) ?? 0n) + amount)
      paid.set(name, `note-${paid.size + 1}`)
      return true
    },
  }
}

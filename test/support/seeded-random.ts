/** Random choices that a printed seed repeats. */
export class SeededRandom {
  private state: number
  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** Mulberry32: a whole number from 0 to `end - 1`. */
  below(end: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }

  list<T>(length: number, make: (i: number) => T): T[] {
    return Array.from({ length }, (_, i) => make(i))
  }
}

/** A new one for each run; KEYSTEAD_TEST_SEED repeats an old one. */
export function seedOfRun(): number {
  return Number(process.env.KEYSTEAD_TEST_SEED ?? Math.floor(Math.random() * 2 ** 32))
}

/**
 * How many inputs a fuzz test makes: `usual`, or KEYSTEAD_FUZZ_COUNT, which is how ten million are run by hand (see
 * test/README.md).
 */
export function fuzzCount(usual: number): number {
  const count = Number(process.env.KEYSTEAD_FUZZ_COUNT ?? usual)
  if (!Number.isSafeInteger(count) || count < 1) throw new Error('KEYSTEAD_FUZZ_COUNT is no count')
  return count
}

/**
 * What is worth keeping between calls, not more than fits. When something new would be too much, everything else goes:
 * what is still asked for comes back by itself.
 */
export class BoundedCache<V> {
  private readonly entries = new Map<string, V>()
  private weight = 0
  private readonly weightMax: number

  /** @param weightMax In whatever unit `set` counts; one entry alone may weigh more. */
  constructor(weightMax: number) {
    this.weightMax = weightMax
  }

  get(key: string): V | undefined {
    return this.entries.get(key)
  }

  /** @param key Not yet there. */
  set(key: string, value: V, weight: number): void {
    if (this.weight + weight > this.weightMax) {
      this.entries.clear()
      this.weight = 0
    }
    this.entries.set(key, value)
    this.weight += weight
  }
}

/**
 * Changes of one organization, one after the other in this process. Only for speed: without it, of fifty changes at
 * once forty-nine would be decided in vain each time. What counts is the compare-and-set on the record.
 */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>()

  async take<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(organizationId) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.last.set(organizationId, mine)
    try {
      return await mine
    } finally {
      if (this.last.get(organizationId) === mine) this.last.delete(organizationId)
    }
  }
}

/** One transaction of an account at a time: nodes take no more of an account with a delegate, and nonces would cross. */
import { insertOnce, type Collection, type CollectionSpec, type StoredDocument } from '../../../gateway/plugin-api.ts'

export interface AuthorityDocument extends StoredDocument {
  /** The transaction under way. */
  holder: string
}

export const authoritiesSpec: CollectionSpec<AuthorityDocument> = {
  name: 'gasRelayAuthorities',
  unique: [],
  indexes: [],
}

export class Authorities {
  private readonly collection: Collection<AuthorityDocument>
  private readonly isOver: (transaction: string) => Promise<boolean>

  /** @param isOver Whether a holder has ended: then its place is free, also when it had no time to leave. */
  constructor(collection: Collection<AuthorityDocument>, isOver: (transaction: string) => Promise<boolean>) {
    this.collection = collection
    this.isOver = isOver
  }

  /** @param id Of chain and account. @returns false when another transaction is under way; a repeat is true again. */
  async claim(id: string, transaction: string): Promise<boolean> {
    for (;;) {
      const stored = await this.collection.get(id)
      if (stored?.holder === transaction) return true
      if (stored === undefined) {
        if (await insertOnce(this.collection, { _id: id, v: 0, holder: transaction })) return true
        continue
      }
      if (!(await this.isOver(stored.holder))) return false
      if (await this.collection.compareAndSet(stored, { ...stored, holder: transaction })) return true
    }
  }

  /** A no that spares the checks after it; `claim` decides. */
  async isFree(id: string): Promise<boolean> {
    const stored = await this.collection.get(id)
    return stored === undefined || this.isOver(stored.holder)
  }
}

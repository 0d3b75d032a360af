/** The documents of relay transactions. */
import { findAll, insertOnce, type Collection, type Page } from '../../../gateway/plugin-api.ts'
import { underWay, type TransactionDocument } from './transaction.ts'

export class Transactions {
  private readonly collection: Collection<TransactionDocument>
  private readonly nowMs: () => number

  constructor(collection: Collection<TransactionDocument>, nowMs: () => number) {
    this.collection = collection
    this.nowMs = nowMs
  }

  get(id: string): Promise<TransactionDocument | undefined> {
    return this.collection.get(id)
  }

  async ofRequest(organizationId: string, requestKey: string): Promise<TransactionDocument | undefined> {
    const where = { organizationId, requestKey }
    return (await this.collection.find({ where, sort: 'requestKey', limit: 1 })).items[0]
  }

  async list(organizationId: string, limit: number, after: string | undefined): Promise<Page<TransactionDocument>> {
    const query = { where: { organizationId }, sort: 'createdAtMs', descending: true, limit } as const
    return this.collection.find(after === undefined ? query : { ...query, after })
  }

  async underWay(): Promise<TransactionDocument[]> {
    const pages = underWay.map((phase) => findAll(this.collection, { where: { phase }, sort: 'updatedAtMs' }))
    return (await Promise.all(pages)).flat()
  }

  /** @returns what is stored for the request: this document, or that of whoever came first. */
  async insert(document: TransactionDocument): Promise<TransactionDocument> {
    if (await insertOnce(this.collection, document)) return document
    const known = await this.ofRequest(document.organizationId, document.requestKey)
    // Refused between the two: its place is free again.
    return known ?? this.insert(document)
  }

  /** @returns the document as stored now, undefined when somebody else has changed it meanwhile. */
  async replace(
    from: TransactionDocument,
    changes: Partial<TransactionDocument>,
    without: readonly ('closing' | 'closed' | 'reopening')[] = [],
  ): Promise<TransactionDocument | undefined> {
    const next = { ...from, ...changes, updatedAtMs: this.nowMs() }
    for (const member of without) delete next[member]
    return (await this.collection.compareAndSet(from, next)) ? { ...next, v: from.v + 1 } : undefined
  }
}

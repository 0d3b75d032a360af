import type { ImportTarget } from '../../signer-core/protocol/messages.ts'
import { importTargetsSpec, type ImportTargetDocument } from '../documents.ts'
import { DuplicateKeyError } from '../store/store-errors.ts'
import type { Collection, Store } from '../store/store.ts'

/** One import target per user; a new one takes the place of the former. */
export class ImportTargets {
  private readonly targets: Collection<ImportTargetDocument>

  constructor(store: Store) {
    this.targets = store.collection(importTargetsSpec)
  }

  async get(organizationId: string, userId: string): Promise<ImportTarget | undefined> {
    return (await this.targets.get(idOf(organizationId, userId)))?.target ?? undefined
  }

  /** @param target null: forget the one there is. Repeating it changes nothing. */
  async set(organizationId: string, userId: string, target: ImportTarget | null, nowMs: number): Promise<void> {
    const _id = idOf(organizationId, userId)
    for (;;) {
      const stored = await this.targets.get(_id)
      if (stored !== undefined) {
        if (await this.targets.compareAndSet(stored, { ...stored, target, updatedAtMs: nowMs })) return
      } else if (await this.inserted({ _id, v: 0, target, updatedAtMs: nowMs })) return
    }
  }

  private async inserted(document: ImportTargetDocument): Promise<boolean> {
    try {
      await this.targets.insert(document)
      return true
    } catch (error) {
      if (error instanceof DuplicateKeyError) return false
      throw error
    }
  }
}

function idOf(organizationId: string, userId: string): string {
  return `${organizationId}/${userId}`
}

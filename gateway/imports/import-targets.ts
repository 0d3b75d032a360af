import type { ImportFlow } from '../../signer-core/protocol/changes.ts'
import type { ImportTarget } from '../../signer-core/protocol/messages.ts'
import { changedOnce } from '../activities/made.ts'
import { importTargetsSpec, type ActivityDocument, type ImportTargetDocument } from '../documents.ts'
import type { Collection, Store } from '../store/store.ts'
import { change, insertOnce } from '../store/writes.ts'

/** One import target per user and flow; a new one takes the place of the former. */
export class ImportTargets {
  private readonly targets: Collection<ImportTargetDocument>

  constructor(store: Store) {
    this.targets = store.collection(importTargetsSpec)
  }

  async get(organizationId: string, userId: string, flow: ImportFlow): Promise<ImportTarget | undefined> {
    return (await this.targets.get(idOf(organizationId, userId, flow)))?.target ?? undefined
  }

  /** @param target null: forget the one there is. Repeating it changes nothing. */
  async set(
    { _id: activityId, organizationId }: Pick<ActivityDocument, '_id' | 'organizationId'>,
    userId: string,
    flow: ImportFlow,
    target: ImportTarget | null,
    nowMs: number,
  ): Promise<void> {
    const _id = idOf(organizationId, userId, flow)
    const changes = { target, updatedAtMs: nowMs }
    if (await insertOnce(this.targets, { _id, v: 0, ...changes, changedBy: [activityId] })) return
    await change(this.targets, _id, (stored) => changedOnce(stored, activityId, changes))
  }
}

function idOf(organizationId: string, userId: string, flow: ImportFlow): string {
  return `${organizationId}/${userId}/${flow}`
}

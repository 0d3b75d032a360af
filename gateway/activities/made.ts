/** What activities make: private keys, wallets, wallet accounts. How they begin, change, are exported and are deleted. */
import type { ActivityDocument, ChangedDocument, MadeDocument } from '../documents.ts'
import type { Collection } from '../store/store.ts'
import { change } from '../store/writes.ts'

/** @param place Among what the activity makes of this kind; at most four digits. */
export function madeBy(activity: ActivityDocument, place: number): Omit<MadeDocument, '_id' | 'v'> {
  const { organizationId, _id: activityId, createdAtMs } = activity
  return {
    organizationId,
    activityId,
    order: `${activityId}/${String(place).padStart(4, '0')}`,
    state: 'living',
    exported: false,
    createdAtMs,
    updatedAtMs: createdAtMs,
  }
}

/** Also of a deleted one: it has left, and the audit may know. Repeating it changes nothing. */
export function markExported<T extends MadeDocument>(
  collection: Collection<T>,
  id: string,
  nowMs: number,
): Promise<void> {
  return change(collection, id, (stored) =>
    stored.exported ? undefined : { ...stored, exported: true, updatedAtMs: nowMs },
  )
}

/** Empties what was sealed; the rest stays for the audit. Repeating it changes nothing. */
export function markDeleted<T extends MadeDocument>(
  collection: Collection<T>,
  id: string,
  emptied: (stored: T) => T,
  nowMs: number,
): Promise<void> {
  return change(collection, id, (stored) =>
    stored.state === 'deleted'
      ? undefined
      : { ...emptied(stored), state: 'deleted', deletedAtMs: nowMs, updatedAtMs: nowMs },
  )
}

/** As many may end while one process stands still. */
const CHANGED_BY_MAX = 16

/**
 * The change of one activity, once: carried out again later, it must not undo what another has changed since.
 * @returns undefined when it has been done.
 */
export function changedOnce<T extends ChangedDocument>(
  stored: T,
  activityId: string,
  changes: Partial<T>,
): T | undefined {
  const { changedBy = [] } = stored
  if (changedBy.includes(activityId)) return undefined
  return { ...stored, ...changes, changedBy: [...changedBy.slice(1 - CHANGED_BY_MAX), activityId] }
}

/** @returns undefined for what another organization has, and for what is deleted. */
export function livingOf<T extends MadeDocument>(stored: T | undefined, organizationId: string): T | undefined {
  return stored?.organizationId === organizationId && stored.state === 'living' ? stored : undefined
}

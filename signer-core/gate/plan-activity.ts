import type { OrganizationRecord } from '../protocol/organization-record.ts'
import { operations, type VoteTypeName } from './activities/index.ts'
import type { Operation, Plan } from './operation.ts'
import type { Activity } from './stamped-body.ts'
import type { Brought } from './wit-types.ts'

/** Any activity but a vote. */
export type CarriedActivity = Activity & { type: Exclude<Activity['type'], VoteTypeName> }

export function isCarried(activity: Activity): activity is CarriedActivity {
  return Object.hasOwn(operations, activity.type)
}

/** @param stamped Which activity, and the bytes that ask for it. @throws {RefusalError} as the operation says. */
export function planActivity(
  { type, parameters }: CarriedActivity,
  { activityId, bodyDigest }: { activityId: string; bodyDigest: Uint8Array },
  userId: string,
  organization: OrganizationRecord,
  brought: Brought,
): Plan {
  const operation = operations[type] as Operation<unknown>
  return operation.plan(parameters, {
    organizationId: organization.organizationId,
    organization,
    nowMs: Number(brought.nowMs),
    activityId,
    bodyDigest,
    keys: brought.keys,
    wallets: brought.wallets,
    exportedIds: brought.exportedIds,
    userId,
    importTarget: brought.importTarget ?? undefined,
  })
}

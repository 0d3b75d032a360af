import { activityTypes, isActivityTypeName } from '../../signer-core/protocol/activity-types.ts'
import type { ActivityDocument } from '../documents.ts'
import { presentTime } from '../http/present-time.ts'
import { phases } from './phases.ts'

/** The activity as the wire shows it. */
export function presentActivity(activity: ActivityDocument): object {
  return {
    id: activity._id,
    organizationId: activity.organizationId,
    status: phases[activity.phase].status,
    type: activity.type,
    intent: presentIntent(activity),
    result: activity.phase === 'completed' ? (JSON.parse(activity.result ?? '{}') as object) : {},
    votes: [],
    fingerprint: activity.fingerprint,
    canApprove: false,
    canReject: false,
    createdAt: presentTime(activity.createdAtMs),
    updatedAt: presentTime(activity.updatedAtMs),
    failure: activity.phase === 'failed' ? activity.failure : null,
  }
}

/** The parameters under each name that clients know. */
function presentIntent({ type, body }: ActivityDocument): object {
  if (!isActivityTypeName(type)) return {}
  const { parameters } = JSON.parse(body) as { parameters: unknown }
  return Object.fromEntries(activityTypes[type].intents.map((name) => [name, parameters]))
}

/** Submits activities with the service key, through the same door as every client's. */
import type { Logger } from 'pino'
import { activityTypes } from '../../signer-core/protocol/activity-types.ts'
import { findCredential } from '../../signer-core/protocol/organization-record.ts'
import { phases } from '../activities/phases.ts'
import type { Submit } from '../activities/submit.ts'
import type { ActivityDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import { parseBody } from '../http/middleware/body.ts'
import type { Organizations } from '../organizations/organizations.ts'
import { ActivityUnavailableError, type ActivityEnd, type ActivityRequest } from '../plugin-api.ts'
import { StoreUnavailableError } from '../store/store-errors.ts'
import type { ServiceKey } from './service-key.ts'

export type SubmitActivity = (request: ActivityRequest) => Promise<ActivityEnd>

export function serviceClient(
  key: ServiceKey | undefined,
  organizations: Organizations,
  submit: Submit,
  logger: Logger,
): SubmitActivity {
  // Each is said once, not for every request.
  let isKnown = true
  const note = (known: boolean) => {
    if (isKnown && !known) logger.error('service_key_unknown')
    isKnown = known
  }
  let isBound = true
  const onRoot = () => {
    if (isBound) logger.warn('service_key_of_root_user')
    isBound = false
  }
  return async (request) => {
    if (key === undefined) throw new ActivityUnavailableError('no service key is set')
    try {
      const activity = await submitStamped(key, organizations, submit, request, onRoot)
      note(true)
      return present(activity)
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw new ActivityUnavailableError('the store cannot be reached')
      if (!(error instanceof ApiError)) throw error
      note(error.code !== 'PUBLIC_KEY_NOT_FOUND')
      if (passing.has(error.code)) throw new ActivityUnavailableError('the gateway takes no activity now')
      return { status: 'refused', code: error.code }
    }
  }
}

/** A key that the organization does not know, yet or any more, says nothing about what it was to stamp. */
const passing: ReadonlySet<string> = new Set(['UNAVAILABLE', 'OVERLOADED', 'PUBLIC_KEY_NOT_FOUND'])

/** @param onRoot Called for a key that no policy binds. */
async function submitStamped(
  key: ServiceKey,
  organizations: Organizations,
  submit: Submit,
  { type, timestampMs, parameters }: ActivityRequest,
  onRoot: () => void,
): Promise<ActivityDocument> {
  const { organizationId } = key
  const body = parseBody(Buffer.from(JSON.stringify({ type, timestampMs, organizationId, parameters })))
  const organization = await organizations.get(organizationId)
  if (organization === undefined) throw new ApiError('PUBLIC_KEY_NOT_FOUND')
  const stamp = key.stamp(body.bytes)
  const credential = findCredential(organization, stamp)
  if (credential === undefined) throw new ApiError('PUBLIC_KEY_NOT_FOUND')
  if (organization.rootQuorum.userIds.includes(credential.user.userId)) onRoot()
  return submit.submit(activityTypes[type].path, body, {
    organization,
    home: organization,
    user: credential.user,
    stamp,
  })
}

function present({ _id: activityId, phase, result, failure }: ActivityDocument): ActivityEnd {
  const { status, leadsTo } = phases[phase]
  if (leadsTo.length > 0) return { status: 'pending', activityId }
  if (status !== 'ACTIVITY_STATUS_COMPLETED') return { status: 'failed', activityId, code: failure?.code ?? phase }
  return { status: 'completed', activityId, result: JSON.parse(result ?? '{}') as Record<string, unknown> }
}

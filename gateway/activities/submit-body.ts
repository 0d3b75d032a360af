import {
  activityTypes,
  isActivityTypeName,
  unsupportedActivityTypes,
  type ActivityTypeName,
} from '../../signer-core/protocol/activity-types.ts'
import { parse, type Schema } from '../../signer-core/protocol/schema.ts'
import { submitBodySchema } from '../../signer-core/protocol/submit-body.ts'
import { ApiError } from '../http/errors.ts'
import type { RequestBody } from '../http/middleware/body.ts'

export interface SubmitBody {
  type: ActivityTypeName
  timestampMs: string
  organizationId: string
}

/**
 * @param path Last segment of the route, to which the type must belong; absent: any.
 * @throws {ApiError}
 */
export function readSubmitBody({ json }: RequestBody, path?: string): SubmitBody {
  const read = parse(submitBodySchema, json)
  if (!read.ok) throw ApiError.ofViolations(read.violations)
  const { type, timestampMs, organizationId, parameters } = read.value
  if (!isActivityTypeName(type)) throw new ApiError('ACTIVITY_TYPE_INVALID', unsupportedActivityTypes[type])
  if (path !== undefined && activityTypes[type].path !== path) throw new ApiError('ACTIVITY_TYPE_INVALID')
  const checked = parse(activityTypes[type].parameters as Schema<unknown>, parameters, 'parameters')
  if (!checked.ok) throw ApiError.ofViolations(checked.violations)
  return { type, timestampMs, organizationId }
}

/** From stamped bytes to an activity that is asked for, and to who asks. */
import { activityTypes, isActivityTypeName, unsupportedActivityTypes } from '../protocol/activity-types.ts'
import type { ActivityTypeName } from '../protocol/activity-types.ts'
import { findCredential, isExpired, type Credential, type OrganizationRecord } from '../protocol/organization-record.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { parse, type Schema, type TypeOf } from '../protocol/schema.ts'
import { isStampScheme } from '../protocol/stamp.ts'
import { JsonError, parseStrictJson } from '../protocol/strict-json.ts'
import { submitBodySchema } from '../protocol/submit-body.ts'
import type { Stamped } from './wit-types.ts'

export type Body = TypeOf<typeof submitBodySchema>

/** @throws {RefusalError} `BODY_INVALID`, `ORGANIZATION_MISMATCH`. */
export function readBody(text: string, organization: OrganizationRecord): Body {
  const body = readParsed(submitBodySchema, parseBody(text), 'BODY_INVALID')
  if (body.organizationId === organization.organizationId) return body
  throw new RefusalError('ORGANIZATION_MISMATCH', 'the body names another organization', 'organizationId')
}

function parseBody(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    if (error instanceof JsonError) throw new RefusalError('BODY_INVALID', 'bad request body')
    throw error
  }
}

function readParsed<T>(schema: Schema<T>, value: unknown, code: 'BODY_INVALID' | 'PARAMETERS_INVALID', at = ''): T {
  const parsed = parse(schema, value, at)
  if (parsed.ok) return parsed.value
  const [first] = parsed.violations
  throw new RefusalError(code, first?.description ?? 'bad request body', first?.field)
}

export interface Activity {
  type: ActivityTypeName
  /** By the type's own schema. */
  parameters: unknown
}

/** @throws {RefusalError} `ACTIVITY_TYPE_UNKNOWN`, `ACTIVITY_TYPE_UNSUPPORTED`, `PARAMETERS_INVALID`. */
export function readActivity({ type, parameters }: Body): Activity {
  if (isActivityTypeName(type)) {
    const schema: Schema<unknown> = activityTypes[type].parameters
    return { type, parameters: readParsed(schema, parameters, 'PARAMETERS_INVALID', 'parameters') }
  }
  const reason = Object.hasOwn(unsupportedActivityTypes, type) ? unsupportedActivityTypes[type] : undefined
  if (reason !== undefined) throw new RefusalError('ACTIVITY_TYPE_UNSUPPORTED', reason, 'type')
  throw new RefusalError('ACTIVITY_TYPE_UNKNOWN', 'unknown activity type', 'type')
}

/**
 * The host has seen the key prove itself; whether it speaks for anybody is decided here.
 * @throws {RefusalError} `API_KEY_UNKNOWN`, `API_KEY_EXPIRED`.
 */
export function identify(stamped: Stamped, organization: OrganizationRecord, nowMs: number): Credential {
  const { stampScheme: scheme, stampPublicKey: publicKey } = stamped
  const credential = isStampScheme(scheme) ? findCredential(organization, { scheme, publicKey }) : undefined
  if (credential === undefined) {
    throw new RefusalError('API_KEY_UNKNOWN', 'could not find public key in organization or its parent organization')
  }
  // Word for word what @turnkey/core looks for to tell that a session is over.
  if (isExpired(credential.apiKey, nowMs))
    throw new RefusalError('API_KEY_EXPIRED', 'Unauthenticated desc = expired api key publicKey')
  return credential
}

/** The body of every submit request. */
import { object, pattern, type Schema } from './schema.ts'
import { uuid } from './organization-record.ts'
import { isJsonObject, type JsonObject } from './strict-json.ts'

const anyObject: Schema<JsonObject> = {
  read(value, field, violations) {
    if (isJsonObject(value)) return value
    violations.push({ field, description: `${field} required` })
    return {}
  },
}

export const submitBodySchema = object({
  type: pattern(/^ACTIVITY_TYPE_[A-Z0-9_]{1,80}$/, 'an activity type'),
  /** Milliseconds since the epoch. Part of the idempotency key. */
  timestampMs: pattern(/^[0-9]{1,16}$/, 'a decimal string'),
  organizationId: uuid,
  parameters: anyObject,
})

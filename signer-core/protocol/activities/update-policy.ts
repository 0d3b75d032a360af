import { NAME_LENGTH_MAX } from '../limits.ts'
import { policyEffect, uuid } from '../organization-record.ts'
import { always, object, optional, text, type Schema, type TypeOf } from '../schema.ts'
import { policyText } from './policies.ts'

const members = {
  policyId: uuid,
  policyName: optional(text(NAME_LENGTH_MAX)),
  policyEffect: optional(policyEffect),
  policyCondition: policyText,
  policyConsensus: policyText,
  policyNotes: policyText,
}

/** What is absent stays as it is, what is empty is taken away. */
export const updatePolicyV2Schema = object({ ...members, time: policyText })
export type UpdatePolicy = TypeOf<typeof updatePolicyV2Schema>

/** It does not know of `time`. */
export const updatePolicyV1Schema: Schema<UpdatePolicy> = object({ ...members, time: always(undefined) })

/** Policies as several activities ask for them. What their expressions say is read by the gate. */
import { NAME_LENGTH_MAX, TEXT_LENGTH_MAX } from '../limits.ts'
import { policyEffect } from '../organization-record.ts'
import { object, optional, text, type TypeOf } from '../schema.ts'

/** An expression or notes; empty where not set. */
export const policyText = optional(text(TEXT_LENGTH_MAX, { emptyAllowed: true }))

export const policyParams = object({
  policyName: text(NAME_LENGTH_MAX),
  effect: policyEffect,
  condition: policyText,
  consensus: policyText,
  time: policyText,
  notes: policyText,
})
export type PolicyParams = TypeOf<typeof policyParams>

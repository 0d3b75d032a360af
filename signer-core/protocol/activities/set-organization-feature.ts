import { TEXT_LENGTH_MAX } from '../limits.ts'
import { object, optional, text, type TypeOf } from '../schema.ts'
import { featureName } from './features.ts'

export const setOrganizationFeatureSchema = object({
  name: featureName,
  value: optional(text(TEXT_LENGTH_MAX, { emptyAllowed: true })),
})
export type SetOrganizationFeature = TypeOf<typeof setOrganizationFeatureSchema>

import { object, type TypeOf } from '../schema.ts'
import { featureName } from './features.ts'

export const removeOrganizationFeatureSchema = object({ name: featureName })
export type RemoveOrganizationFeature = TypeOf<typeof removeOrganizationFeatureSchema>

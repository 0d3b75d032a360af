import type { RemoveOrganizationFeature } from '../../protocol/activities/remove-organization-feature.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { presentFeatures } from './set-organization-feature.ts'

/** One that is not set may be removed all the same. */
export const removeOrganizationFeature: Operation<RemoveOrganizationFeature> = {
  plan({ name }, context) {
    const features = context.organization.features.filter((each) => each.name !== name)
    const next = nextRecord(context, { features })
    return {
      commitment: committed('REMOVE_ORGANIZATION_FEATURE', { name }),
      execute: () => ({ result: { removeOrganizationFeatureResult: presentFeatures(features) }, organization: next }),
    }
  },
}

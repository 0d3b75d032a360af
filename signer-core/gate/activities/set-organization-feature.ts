import type { SetOrganizationFeature } from '../../protocol/activities/set-organization-feature.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'

/** Kept and shown; no feature changes what this service does. */
export const setOrganizationFeature: Operation<SetOrganizationFeature> = {
  plan({ name, value }, context) {
    const others = context.organization.features.filter((each) => each.name !== name)
    const features = [...others, { name, value }]
    const next = nextRecord(context, { features })
    return {
      commitment: committed('SET_ORGANIZATION_FEATURE', { name, value }),
      execute: () => ({
        result: { setOrganizationFeatureResult: presentFeatures(features) },
        organization: next,
      }),
    }
  },
}

/** As the wire shows them. */
export function presentFeatures(features: { name: string; value: string | undefined }[]) {
  return { features: features.map(({ name, value }) => ({ name, ...(value !== undefined && { value }) })) }
}

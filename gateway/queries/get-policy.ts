import { object, text } from '../../signer-core/protocol/schema.ts'
import { ApiError } from '../http/errors.ts'
import { presentPolicy } from '../organizations/present.ts'
import { defineQuery } from './query.ts'

export const getPolicy = defineQuery({
  parameters: object({ policyId: text(64) }),
  async run({ policyId }, { organization }) {
    const policy = organization.policies.find((each) => each.policyId === policyId)
    if (policy === undefined) throw new ApiError('RESOURCE_NOT_FOUND', 'no policy found with the given ID')
    return { policy: presentPolicy(policy) }
  },
})

import { object } from '../../signer-core/protocol/schema.ts'
import { presentPolicy } from '../organizations/present.ts'
import { defineQuery } from './query.ts'

export const listPolicies = defineQuery({
  parameters: object({}),
  run: async (_, { organization }) => ({ policies: organization.policies.map(presentPolicy) }),
})

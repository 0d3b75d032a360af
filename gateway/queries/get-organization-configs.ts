import { object } from '../../signer-core/protocol/schema.ts'
import { defineQuery } from './query.ts'

export const getOrganizationConfigs = defineQuery({
  parameters: object({}),
  run: async (_, { organization: { features, rootQuorum } }) => ({ configs: { features, quorum: rootQuorum } }),
})

import { object } from '../../signer-core/protocol/schema.ts'
import { defineQuery } from './query.ts'

/** None: no address and no phone number is ever verified here. */
export const listVerifiedSuborgs = defineQuery({
  parameters: object({}),
  run: async () => ({ organizationIds: [] }),
})

import { object } from '../../signer-core/protocol/schema.ts'
import { presentUser } from '../organizations/present.ts'
import { defineQuery } from './query.ts'

export const listUsers = defineQuery({
  parameters: object({}),
  run: async (_, { organization }) => ({ users: organization.users.map(presentUser) }),
})

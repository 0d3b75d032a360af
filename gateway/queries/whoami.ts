import { object } from '../../signer-core/protocol/schema.ts'
import { defineQuery } from './query.ts'

export const whoami = defineQuery({
  parameters: object({}),
  async run(_, { organization, user }) {
    return {
      organizationId: organization.organizationId,
      organizationName: organization.organizationName,
      userId: user.userId,
      username: user.userName,
    }
  },
})

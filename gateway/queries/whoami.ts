import { object } from '../../signer-core/protocol/schema.ts'
import { defineQuery } from './query.ts'

export const whoami = defineQuery({
  parameters: object({}),
  async run(_, { home, user }) {
    return {
      organizationId: home.organizationId,
      organizationName: home.organizationName,
      userId: user.userId,
      username: user.userName,
    }
  },
})

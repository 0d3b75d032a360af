import { object, optional, text } from '../../signer-core/protocol/schema.ts'
import { presentApiKey } from '../organizations/present.ts'
import { defineQuery } from './query.ts'
import { userOrRefuse } from './user-or-refuse.ts'

/** Of one user, or of all. Expired ones are there as well: they can be deleted. */
export const getApiKeys = defineQuery({
  parameters: object({ userId: optional(text(64)) }),
  async run({ userId }, caller) {
    const users = userId === undefined ? caller.organization.users : [userOrRefuse(userId, caller)]
    return { apiKeys: users.flatMap(({ apiKeys }) => apiKeys.map(presentApiKey)) }
  },
})

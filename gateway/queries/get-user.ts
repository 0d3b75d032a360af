import { object, text } from '../../signer-core/protocol/schema.ts'
import { presentUser } from '../organizations/present.ts'
import { defineQuery } from './query.ts'
import { userOrRefuse } from './user-or-refuse.ts'

export const getUser = defineQuery({
  parameters: object({ userId: text(64) }),
  run: async ({ userId }, caller) => ({ user: presentUser(userOrRefuse(userId, caller)) }),
})

/** Kinds of credentials that clients ask for and that nobody has here: passkeys and OAuth providers. */
import { object, optional, text } from '../../signer-core/protocol/schema.ts'
import { ApiError } from '../http/errors.ts'
import { defineQuery } from './query.ts'
import { userOrRefuse } from './user-or-refuse.ts'

export const getAuthenticators = defineQuery({
  parameters: object({ userId: text(64) }),
  async run({ userId }, caller) {
    userOrRefuse(userId, caller)
    return { authenticators: [] }
  },
})

export const getAuthenticator = defineQuery({
  parameters: object({ authenticatorId: text(64) }),
  async run() {
    throw new ApiError('RESOURCE_NOT_FOUND', 'no authenticator found with the given ID')
  },
})

export const getOauthProviders = defineQuery({
  parameters: object({ userId: optional(text(64)) }),
  async run({ userId }, caller) {
    if (userId !== undefined) userOrRefuse(userId, caller)
    return { oauthProviders: [] }
  },
})

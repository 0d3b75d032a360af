import { object, text } from '../../signer-core/protocol/schema.ts'
import { ApiError } from '../http/errors.ts'
import { presentApiKey } from '../organizations/present.ts'
import { defineQuery } from './query.ts'

export const getApiKey = defineQuery({
  parameters: object({ apiKeyId: text(64) }),
  async run({ apiKeyId }, { organization }) {
    const apiKey = organization.users.flatMap(({ apiKeys }) => apiKeys).find((each) => each.apiKeyId === apiKeyId)
    if (apiKey === undefined) throw new ApiError('RESOURCE_NOT_FOUND', 'no API key found with the given ID')
    return { apiKey: presentApiKey(apiKey) }
  },
})

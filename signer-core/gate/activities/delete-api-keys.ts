import type { DeleteApiKeys } from '../../protocol/activities/delete-api-keys.ts'
import { RefusalError } from '../../protocol/refusals.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { userOfId, withUser } from '../record-parts.ts'

/** Of oneself without any policy. */
export const deleteApiKeys: Operation<DeleteApiKeys> = {
  plan({ userId, apiKeyIds }, context) {
    const { organization, nowMs } = context
    const user = userOfId(organization, userId, 'parameters.userId')
    apiKeyIds.forEach((apiKeyId, i) => {
      if (user.apiKeys.some((each) => each.apiKeyId === apiKeyId)) return
      const field = `parameters.apiKeyIds.${i}`
      throw new RefusalError('API_KEY_NOT_FOUND', 'the user has no API key with the given id', field)
    })
    const left = user.apiKeys.filter(({ apiKeyId }) => !apiKeyIds.includes(apiKeyId))
    const next = nextRecord(context, {
      users: withUser(organization, { ...user, apiKeys: left, updatedAtMs: nowMs }),
    })
    return {
      commitment: committed('DELETE_API_KEYS', { userId, apiKeyIds }),
      implied: userId === context.userId,
      execute: () => ({ result: { deleteApiKeysResult: { apiKeyIds } }, organization: next }),
    }
  },
}

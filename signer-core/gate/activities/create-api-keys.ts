import type { CreateApiKeys } from '../../protocol/activities/create-api-keys.ts'
import { newIds } from '../key-ids.ts'
import { newApiKey } from '../new-users.ts'
import { nextRecord } from '../next-record.ts'
import { committed, type Operation } from '../operation.ts'
import { userOfId, withUser } from '../record-parts.ts'

/** Of oneself without any policy. */
export const createApiKeys: Operation<CreateApiKeys> = {
  plan({ userId, apiKeys }, context) {
    const { organization, nowMs } = context
    const user = userOfId(organization, userId, 'parameters.userId')
    const nextId = newIds(context)
    const created = apiKeys.map((each) => newApiKey(each, nextId(), nowMs))
    const apiKeyIds = created.map(({ apiKeyId }) => apiKeyId)
    const changed = { ...user, apiKeys: [...user.apiKeys, ...created], updatedAtMs: nowMs }
    const next = nextRecord(context, { users: withUser(organization, changed) })
    return {
      commitment: committed('CREATE_API_KEYS', { userId, apiKeyIds, apiKeys }),
      implied: userId === context.userId,
      execute: () => ({ result: { createApiKeysResult: { apiKeyIds } }, organization: next }),
    }
  },
}

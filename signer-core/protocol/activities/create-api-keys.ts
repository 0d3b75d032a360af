import { uuid } from '../organization-record.ts'
import { object, type TypeOf } from '../schema.ts'
import { apiKeyList, apiKeyParams, apiKeyParamsV1 } from './api-keys.ts'

export const createApiKeysV2Schema = object({ userId: uuid, apiKeys: apiKeyList(apiKeyParams, { countMin: 1 }) })
export const createApiKeysV1Schema = object({ userId: uuid, apiKeys: apiKeyList(apiKeyParamsV1, { countMin: 1 }) })
export type CreateApiKeys = TypeOf<typeof createApiKeysV2Schema>

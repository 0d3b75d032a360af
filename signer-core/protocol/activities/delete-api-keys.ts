import { uuid } from '../organization-record.ts'
import { object, type TypeOf } from '../schema.ts'
import { idsToDelete } from './deletions.ts'

export const deleteApiKeysSchema = object({ userId: uuid, apiKeyIds: idsToDelete })
export type DeleteApiKeys = TypeOf<typeof deleteApiKeysSchema>

/** New users as several activities ask for them. */
import { NAME_LENGTH_MAX, TAGS_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { always, list, object, optional, text, type Schema } from '../schema.ts'
import { apiKeyList, type ApiKeyParams } from './api-keys.ts'
import { unsupported } from './unsupported.ts'

export interface UserParams {
  userName: string
  userEmail: string | undefined
  userPhoneNumber: string | undefined
  userTags: string[]
  apiKeys: ApiKeyParams[]
}

/** Empty is as good as absent. */
export const contact = optional(text(NAME_LENGTH_MAX, { emptyAllowed: true }))
export const userTags = list(uuid, TAGS_MAX)

/**
 * @param apiKey The form of API keys.
 * @param has Members that this version of the activity knows; what it does not know is ignored.
 */
export function userParams(apiKey: Schema<ApiKeyParams>, has: { phone: boolean; tags: boolean }): Schema<UserParams> {
  return object({
    userName: text(NAME_LENGTH_MAX),
    userEmail: contact,
    userPhoneNumber: has.phone ? contact : always(undefined),
    userTags: has.tags ? userTags : always([]),
    apiKeys: apiKeyList(apiKey),
    authenticators: unsupported('authenticators are'),
    oauthProviders: unsupported('OAuth providers are'),
  })
}

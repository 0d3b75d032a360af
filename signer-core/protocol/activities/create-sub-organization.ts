import { KEYS_PER_ACTIVITY_MAX, NAME_LENGTH_MAX, USERS_MAX } from '../limits.ts'
import { always, integer, list, object, optional, text, type Schema } from '../schema.ts'
import { apiKeyParams, apiKeyParamsV1, type ApiKeyParams } from './api-keys.ts'
import { privateKeyParams, type CreatePrivateKeys } from './create-private-keys.ts'
import { createWalletSchema, type CreateWallet } from './create-wallet.ts'
import { unsupported } from './unsupported.ts'
import { userParams, type UserParams } from './users.ts'

export interface CreateSubOrganization {
  subOrganizationName: string
  rootUsers: UserParams[]
  rootQuorumThreshold: number
  wallet: CreateWallet | undefined
  privateKeys: CreatePrivateKeys['privateKeys'] | undefined
}

/**
 * Members such as `disableEmailAuth` switch off what does not exist here, so they are ignored.
 * @param has What this version of the activity knows.
 */
function version(
  apiKey: Schema<ApiKeyParams>,
  has: { phone?: true; wallet?: true; privateKeys?: true },
): Schema<CreateSubOrganization> {
  return object({
    subOrganizationName: text(NAME_LENGTH_MAX),
    rootUsers: list(userParams(apiKey, { phone: has.phone === true, tags: false }), USERS_MAX, { countMin: 1 }),
    rootQuorumThreshold: integer(1, USERS_MAX),
    wallet: has.wallet ? optional(createWalletSchema) : always(undefined),
    privateKeys: has.privateKeys ? optional(list(privateKeyParams, KEYS_PER_ACTIVITY_MAX)) : always(undefined),
    verificationToken: unsupported('verification tokens are'),
    clientSignature: unsupported('client signatures are'),
  })
}

/** V7 is read like V8: they differ in the form of OAuth providers, of which there are none. */
export const createSubOrganizationV8Schema = version(apiKeyParams, { phone: true, wallet: true })
export const createSubOrganizationV6Schema = version(apiKeyParams, { wallet: true })
/** V4 is read like V5: it knows no OAuth providers. */
export const createSubOrganizationV5Schema = version(apiKeyParamsV1, { wallet: true })
export const createSubOrganizationV3Schema = version(apiKeyParamsV1, { privateKeys: true })
export const createSubOrganizationV2Schema = version(apiKeyParamsV1, {})

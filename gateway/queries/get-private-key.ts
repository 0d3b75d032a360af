import { object, text } from '../../signer-core/protocol/schema.ts'
import { ApiError } from '../http/errors.ts'
import { presentPrivateKey } from '../private-keys/present.ts'
import { defineQuery } from './query.ts'

export const getPrivateKey = defineQuery({
  parameters: object({ privateKeyId: text(64) }),
  async run({ privateKeyId }, { organization }, { privateKeys }) {
    const key = await privateKeys.get(organization.organizationId, privateKeyId)
    if (key === undefined) throw new ApiError('RESOURCE_NOT_FOUND', 'no private key found with the given ID')
    return { privateKey: presentPrivateKey(key, organization) }
  },
})

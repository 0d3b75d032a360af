import { object } from '../../signer-core/protocol/schema.ts'
import { presentPrivateKey } from '../private-keys/present.ts'
import { defineQuery } from './query.ts'

export const listPrivateKeys = defineQuery({
  parameters: object({}),
  async run(_, { organization }, { privateKeys }) {
    const keys = await privateKeys.list(organization.organizationId)
    return { privateKeys: keys.map((key) => presentPrivateKey(key, organization)) }
  },
})

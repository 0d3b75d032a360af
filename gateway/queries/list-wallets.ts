import { object } from '../../signer-core/protocol/schema.ts'
import { presentWallet } from '../wallets/present.ts'
import { defineQuery } from './query.ts'

export const listWallets = defineQuery({
  parameters: object({}),
  async run(_, { organization }, { wallets }) {
    return { wallets: (await wallets.list(organization.organizationId)).map(presentWallet) }
  },
})

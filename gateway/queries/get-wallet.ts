import { object, text } from '../../signer-core/protocol/schema.ts'
import { presentWallet } from '../wallets/present.ts'
import { defineQuery } from './query.ts'
import { walletOrRefuse } from './wallet-or-refuse.ts'

export const getWallet = defineQuery({
  parameters: object({ walletId: text(64) }),
  async run({ walletId }, caller, parts) {
    return { wallet: presentWallet(await walletOrRefuse(walletId, caller, parts)) }
  },
})

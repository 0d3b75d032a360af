import { KEY_NAME_LENGTH_MAX } from '../../signer-core/protocol/limits.ts'
import { object, optional, text } from '../../signer-core/protocol/schema.ts'
import type { WalletAccountDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import { presentWalletAccount } from '../wallets/present.ts'
import { defineQuery, type QueryParts } from './query.ts'
import { walletOrRefuse } from './wallet-or-refuse.ts'

/** By path, by address in any spelling, or by both, which must then be one account's. */
export const getWalletAccount = defineQuery({
  parameters: object({
    walletId: text(64),
    address: optional(text(KEY_NAME_LENGTH_MAX)),
    path: optional(text(KEY_NAME_LENGTH_MAX)),
  }),
  async run({ walletId, address, path }, caller, parts) {
    if (address === undefined && path === undefined) throw new ApiError('REQUEST_INVALID', 'address or path required')
    const wallet = await walletOrRefuse(walletId, caller, parts)
    const found = address === undefined ? undefined : await byAddress(wallet._id, wallet.organizationId, address, parts)
    const account = path === undefined ? found : await parts.walletAccounts.atPath(wallet._id, path)
    if (account === undefined || (address !== undefined && account._id !== found?._id)) {
      throw new ApiError('RESOURCE_NOT_FOUND', 'no wallet account found with the given address or path')
    }
    return { account: presentWalletAccount(account) }
  },
})

async function byAddress(
  walletId: string,
  organizationId: string,
  address: string,
  { walletAccounts }: QueryParts,
): Promise<WalletAccountDocument | undefined> {
  const named = await walletAccounts.named(organizationId, address)
  return named.find((account) => account.walletId === walletId)
}

import { boolean, object, optional, text } from '../../signer-core/protocol/schema.ts'
import type { WalletAccountDocument, WalletDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import { presentWalletAccount } from '../wallets/present.ts'
import type { Slice, WalletAccounts } from '../wallets/wallet-accounts.ts'
import type { Wallets } from '../wallets/wallets.ts'
import { pageWanted, paginationSchema, type PageWanted } from './pagination.ts'
import { defineQuery } from './query.ts'
import { walletOrRefuse } from './wallet-or-refuse.ts'

/** Of one wallet, or of all, in order of creation. */
export const listWalletAccounts = defineQuery({
  parameters: object({
    walletId: optional(text(64)),
    includeWalletDetails: optional(boolean()),
    paginationOptions: paginationSchema,
  }),
  async run({ walletId, includeWalletDetails = false, paginationOptions }, caller, parts) {
    const { organizationId } = caller.organization
    if (walletId !== undefined) await walletOrRefuse(walletId, caller, parts)
    const slice = await sliceOf(organizationId, pageWanted(paginationOptions), parts.walletAccounts)
    const accounts = await parts.walletAccounts.list(walletId === undefined ? { organizationId } : { walletId }, slice)
    const details = includeWalletDetails ? await walletsOf(accounts, organizationId, parts.wallets) : undefined
    return { accounts: accounts.map((each) => presentWalletAccount(each, details?.get(each.walletId))) }
  },
})

async function sliceOf(
  organizationId: string,
  { limit, beside, backwards }: PageWanted,
  accounts: WalletAccounts,
): Promise<Slice> {
  if (beside === undefined) return { limit, backwards }
  const account = await accounts.placeOf(organizationId, beside)
  if (account === undefined) throw new ApiError('RESOURCE_NOT_FOUND', 'no wallet account found with the given ID')
  return { limit, backwards, beside: account }
}

async function walletsOf(
  accounts: WalletAccountDocument[],
  organizationId: string,
  wallets: Wallets,
): Promise<Map<string, WalletDocument>> {
  const walletIds = [...new Set(accounts.map(({ walletId }) => walletId))]
  const found = await Promise.all(walletIds.map((walletId) => wallets.get(organizationId, walletId)))
  return new Map(found.flatMap((wallet) => (wallet === undefined ? [] : [[wallet._id, wallet] as const])))
}

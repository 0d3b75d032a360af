import type { WalletDocument } from '../documents.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/middleware/stamp.ts'
import type { QueryParts } from './query.ts'

/** @throws {ApiError} `RESOURCE_NOT_FOUND`. */
export async function walletOrRefuse(
  walletId: string,
  { organization }: Caller,
  { wallets }: QueryParts,
): Promise<WalletDocument> {
  const wallet = await wallets.get(organization.organizationId, walletId)
  if (wallet === undefined) throw new ApiError('RESOURCE_NOT_FOUND', 'no wallet found with the given ID')
  return wallet
}

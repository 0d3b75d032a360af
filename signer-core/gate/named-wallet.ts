import { RefusalError } from '../protocol/refusals.ts'
import type { WalletRecord } from './wit-types.ts'

/** The wallet that the body names. Wallets have no names but their ids, and the seal binds the id. */
export function namedWallet(wallets: WalletRecord[], walletId: string, field: string): WalletRecord {
  const wallet = wallets.find((each) => each.walletId === walletId)
  if (wallet === undefined) throw new RefusalError('WALLET_NOT_FOUND', 'no wallet found with the given id', field)
  return wallet
}

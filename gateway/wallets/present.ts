import type { WalletAccountDocument, WalletDocument } from '../documents.ts'
import { presentTime } from '../http/present-time.ts'

/** The Wallet record of the wire. */
export function presentWallet(wallet: WalletDocument): object {
  return {
    walletId: wallet._id,
    walletName: wallet.walletName,
    createdAt: presentTime(wallet.createdAtMs),
    updatedAt: presentTime(wallet.updatedAtMs),
    exported: wallet.exported,
    imported: wallet.imported,
  }
}

/** The WalletAccount record of the wire. @param wallet Its wallet, when that is to be shown with it. */
export function presentWalletAccount(account: WalletAccountDocument, wallet?: WalletDocument): object {
  return {
    walletAccountId: account._id,
    organizationId: account.organizationId,
    walletId: account.walletId,
    curve: account.curve,
    pathFormat: account.pathFormat,
    path: account.path,
    addressFormat: account.addressFormat,
    address: account.address,
    createdAt: presentTime(account.createdAtMs),
    updatedAt: presentTime(account.updatedAtMs),
    publicKey: account.publicKey,
    ...(account.name !== undefined && { name: account.name }),
    ...(wallet !== undefined && { walletDetails: presentWallet(wallet) }),
  }
}

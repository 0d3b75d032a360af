/** What everybody may know of a wallet and of its accounts. The component makes it, the gateway shows it. */
import type { Address } from './address-formats.ts'
import type { CurveName } from './curves.ts'
import type { AccountParams } from './activities/wallet-accounts.ts'

export interface WalletFacts {
  walletName: string
  /** Whether its mnemonic was made elsewhere. */
  imported: boolean
}

/** Of an account that is kept; its key is a key record of its own under the account's id. */
export interface WalletAccountFacts {
  kind: 'walletAccount'
  walletId: string
  curve: CurveName
  pathFormat: AccountParams['pathFormat']
  path: string
  addressFormat: Address['format']
  address: string
  /** Compressed SEC 1 point or the 32 bytes of RFC 8032, lower-case hex. */
  publicKey: string
  name?: string | undefined
}

import type { Address } from './address-formats.ts'
import type { CurveName } from './curves.ts'
import type { WalletAccountFacts } from './wallet.ts'

/** What everybody may know of a private key. The component makes it, the gateway shows it. */
export interface PrivateKeyFacts {
  kind: 'privateKey'
  privateKeyName: string
  curve: CurveName
  /** Compressed SEC 1 point or the 32 bytes of RFC 8032, lower-case hex. */
  publicKey: string
  privateKeyTags: string[]
  addresses: Address[]
  /** Whether it was made elsewhere. */
  imported: boolean
}

/** What a new key is: the `facts` of an outcome's `newKeys`. */
export type KeyFacts = PrivateKeyFacts | WalletAccountFacts

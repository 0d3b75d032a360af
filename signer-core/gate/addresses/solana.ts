import { base58 } from '@scure/base'
import type { AddressFormatRule } from './address-format.ts'
import { exact } from './spellings.ts'

/** Base58 (Bitcoin alphabet) of the 32-byte public key. */
export const solana: AddressFormatRule = {
  derive: (publicKey) => base58.encode(publicKey),
  shape: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  isSpelling: exact,
}

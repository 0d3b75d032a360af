import { base58 } from '@scure/base'
import type { AddressFormatRule } from './address-format.ts'
import { base58check, evmAccount } from './hashes.ts'
import { exact } from './spellings.ts'

/** First byte of every account on Tron's main network. */
const TRON_VERSION = 0x41

/** Base58check of the account that Ethereum would have. */
export const tron: AddressFormatRule = {
  derive: (publicKey, { digest }) => base58check(TRON_VERSION, evmAccount(publicKey, digest), digest, base58),
  shape: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  isSpelling: exact,
}

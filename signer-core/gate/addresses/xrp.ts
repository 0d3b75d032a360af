import { base58xrp } from '@scure/base'
import type { AddressFormatRule } from './address-format.ts'
import { base58check, keyHash } from './hashes.ts'
import { exact } from './spellings.ts'

/** XRPL's type prefix of an account. */
const ACCOUNT = 0x00

/** XRPL base58 encodings: base58check in Ripple's alphabet, whose zero is `r`. */
export const xrp: AddressFormatRule = {
  derive: (publicKey, { digest }) => base58check(ACCOUNT, keyHash(publicKey, digest), digest, base58xrp),
  shape: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/,
  isSpelling: exact,
}

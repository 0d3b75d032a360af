import { base58 } from '@scure/base'
import type { AddressFormatRule } from './address-format.ts'
import { base58check, keyHash } from './hashes.ts'
import { exact } from './spellings.ts'

function p2pkh(version: number, firstLetter: string): AddressFormatRule {
  return {
    derive: (publicKey, { digest }) => base58check(version, keyHash(publicKey, digest), digest, base58),
    shape: new RegExp(`^${firstLetter}[1-9A-HJ-NP-Za-km-z]{33}$`),
    isSpelling: exact,
  }
}

/** P2PKH with the version bytes of Dogecoin Core's `chainparams.cpp`. */
export const dogeMainnet = p2pkh(0x1e, 'D')
export const dogeTestnet = p2pkh(0x71, 'n')

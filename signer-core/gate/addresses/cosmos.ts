import { bech32 } from '@scure/base'
import type { AddressFormatRule } from './address-format.ts'
import { keyHash } from './hashes.ts'
import { oneCase } from './spellings.ts'

/** Cosmos SDK accounts (ADR-28, legacy form): Bech32 (BIP-173) of HASH160 of the compressed point. */
export function cosmosAccount(prefix: string): AddressFormatRule {
  return {
    derive: (publicKey, { digest }) => bech32.encode(prefix, bech32.toWords(keyHash(publicKey, digest))),
    shape: new RegExp(`^${prefix}1[02-9ac-hj-np-z]{38}$`, 'i'),
    isSpelling: oneCase,
  }
}

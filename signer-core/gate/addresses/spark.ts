import { bech32m } from '@scure/base'
import { concatBytes } from '../../protocol/bytes.ts'
import { compressPublicKey } from '../public-key.ts'
import type { AddressFormatRule } from './address-format.ts'
import { oneCase } from './spellings.ts'

/** Protobuf: field 1, 33 bytes. */
const IDENTITY_PUBLIC_KEY = Uint8Array.of(0x0a, 0x21)

/** Spark SDK's SparkAddress message with nothing but the identity key, in Bech32m (BIP-350). */
function sparkAddress(prefix: string): AddressFormatRule {
  return {
    derive(publicKey) {
      const message = concatBytes(IDENTITY_PUBLIC_KEY, compressPublicKey(publicKey))
      return bech32m.encode(prefix, bech32m.toWords(message))
    },
    shape: new RegExp(`^${prefix}1[02-9ac-hj-np-z]{62}$`, 'i'),
    isSpelling: oneCase,
    scheme: 'bip340',
  }
}

export const sparkMainnet = sparkAddress('spark')
export const sparkRegtest = sparkAddress('sparkrt')

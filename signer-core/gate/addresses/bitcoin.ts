/** Bitcoin: four networks, five kinds of output script. */
import { base58, bech32, bech32m } from '@scure/base'
import { concatBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import { compressPublicKey } from '../public-key.ts'
import type { AddressFormatRule } from './address-format.ts'
import { base58check, hash160, keyHash } from './hashes.ts'
import { exact, oneCase } from './spellings.ts'

/** Bitcoin Core `chainparams.cpp`: version bytes of base58check, prefix of Bech32 (BIP-173). */
export interface BitcoinNetwork {
  p2pkh: number
  p2sh: number
  prefix: string
}
const testVersions = { p2pkh: 0x6f, p2sh: 0xc4 }
export const bitcoinNetworks = {
  mainnet: { p2pkh: 0x00, p2sh: 0x05, prefix: 'bc' },
  testnet: { ...testVersions, prefix: 'tb' },
  signet: { ...testVersions, prefix: 'tb' },
  regtest: { ...testVersions, prefix: 'bcrt' },
} as const satisfies Record<string, BitcoinNetwork>

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{26,35}$/

/**
 * The script behind P2SH and P2WSH, `<compressed key> OP_CHECKSIG`: descriptors sh(pk(K)) and wsh(pk(K)). This function
 * is the whole choice.
 */
export function payToKeyScript(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x21), compressPublicKey(publicKey), Uint8Array.of(0xac))
}

/** BIP-16, BIP-13. */
export function p2sh({ p2sh: version }: BitcoinNetwork): AddressFormatRule {
  return inBase58(version, (publicKey, digest) => hash160(payToKeyScript(publicKey), digest))
}

export function p2pkh({ p2pkh: version }: BitcoinNetwork): AddressFormatRule {
  return inBase58(version, keyHash)
}

/** BIP-141, BIP-173. */
export function p2wpkh({ prefix }: BitcoinNetwork): AddressFormatRule {
  return {
    derive: (publicKey, { digest }) => bech32.encode(prefix, [0, ...bech32.toWords(keyHash(publicKey, digest))]),
    shape: segwitShape(prefix, 'q', 20),
    isSpelling: oneCase,
  }
}

/** BIP-141, BIP-173. */
export function p2wsh({ prefix }: BitcoinNetwork): AddressFormatRule {
  return {
    derive(publicKey, { digest }) {
      const program = digest('sha256', payToKeyScript(publicKey))
      return bech32.encode(prefix, [0, ...bech32.toWords(program)])
    },
    shape: segwitShape(prefix, 'q', 32),
    isSpelling: oneCase,
  }
}

/** BIP-341 key path without a script tree (BIP-86), BIP-350. */
export function p2tr({ prefix }: BitcoinNetwork): AddressFormatRule {
  return {
    derive: (publicKey, { taprootOutputKey }) =>
      bech32m.encode(prefix, [1, ...bech32m.toWords(taprootOutputKey(publicKey))]),
    shape: segwitShape(prefix, 'p', 32),
    isSpelling: oneCase,
    scheme: 'bip340-taproot',
  }
}

function inBase58(version: number, hash: (publicKey: Uint8Array, digest: Digest) => Uint8Array): AddressFormatRule {
  return {
    derive: (publicKey, { digest }) => base58check(version, hash(publicKey, digest), digest, base58),
    shape: BASE58,
    isSpelling: exact,
  }
}

/** @param version Letter of the witness version. After the program's 5-bit groups come six of the checksum. */
function segwitShape(prefix: string, version: 'q' | 'p', programBytes: number): RegExp {
  return new RegExp(`^${prefix}1${version}[02-9ac-hj-np-z]{${Math.ceil((programBytes * 8) / 5) + 6}}$`, 'i')
}

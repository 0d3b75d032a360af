/** The address formats, one line each. */
import type { Curve, Scheme } from 'keystead:engine/engine@0.1.0'
import {
  addressFormats,
  curvesOfAddressFormat,
  type Address,
  type AddressFormat,
} from '../../protocol/address-formats.ts'
import { nameOfCurve } from '../../protocol/curves.ts'
import type { KeyRecord } from '../wit-types.ts'
import type { AddressFormatRule, AddressTools } from './address-format.ts'
import { aptos } from './aptos.ts'
import { bitcoinNetworks, p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from './bitcoin.ts'
import { compressed } from './compressed.ts'
import { cosmosAccount } from './cosmos.ts'
import { dogeMainnet, dogeTestnet } from './doge.ts'
import { ethereum } from './ethereum.ts'
import { solana } from './solana.ts'
import { sparkMainnet, sparkRegtest } from './spark.ts'
import { sui } from './sui.ts'
import { tonV3R2, tonV4R2, tonV5R1 } from './ton.ts'
import { tron } from './tron.ts'
import { uncompressed } from './uncompressed.ts'
import { xlm } from './xlm.ts'
import { xrp } from './xrp.ts'

const rules: Record<AddressFormat, AddressFormatRule> = {
  ADDRESS_FORMAT_UNCOMPRESSED: uncompressed,
  ADDRESS_FORMAT_COMPRESSED: compressed,
  ADDRESS_FORMAT_ETHEREUM: ethereum,
  ADDRESS_FORMAT_SOLANA: solana,
  ADDRESS_FORMAT_COSMOS: cosmosAccount('cosmos'),
  ADDRESS_FORMAT_TRON: tron,
  ADDRESS_FORMAT_SUI: sui,
  ADDRESS_FORMAT_APTOS: aptos,
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2PKH: p2pkh(bitcoinNetworks.mainnet),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2SH: p2sh(bitcoinNetworks.mainnet),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH: p2wpkh(bitcoinNetworks.mainnet),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2WSH: p2wsh(bitcoinNetworks.mainnet),
  ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR: p2tr(bitcoinNetworks.mainnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2PKH: p2pkh(bitcoinNetworks.testnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2SH: p2sh(bitcoinNetworks.testnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH: p2wpkh(bitcoinNetworks.testnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2WSH: p2wsh(bitcoinNetworks.testnet),
  ADDRESS_FORMAT_BITCOIN_TESTNET_P2TR: p2tr(bitcoinNetworks.testnet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2PKH: p2pkh(bitcoinNetworks.signet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2SH: p2sh(bitcoinNetworks.signet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2WPKH: p2wpkh(bitcoinNetworks.signet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2WSH: p2wsh(bitcoinNetworks.signet),
  ADDRESS_FORMAT_BITCOIN_SIGNET_P2TR: p2tr(bitcoinNetworks.signet),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2PKH: p2pkh(bitcoinNetworks.regtest),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2SH: p2sh(bitcoinNetworks.regtest),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2WPKH: p2wpkh(bitcoinNetworks.regtest),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2WSH: p2wsh(bitcoinNetworks.regtest),
  ADDRESS_FORMAT_BITCOIN_REGTEST_P2TR: p2tr(bitcoinNetworks.regtest),
  ADDRESS_FORMAT_SEI: cosmosAccount('sei'),
  ADDRESS_FORMAT_XLM: xlm,
  ADDRESS_FORMAT_DOGE_MAINNET: dogeMainnet,
  ADDRESS_FORMAT_DOGE_TESTNET: dogeTestnet,
  ADDRESS_FORMAT_TON_V3R2: tonV3R2,
  ADDRESS_FORMAT_TON_V4R2: tonV4R2,
  ADDRESS_FORMAT_XRP: xrp,
  ADDRESS_FORMAT_TON_V5R1: tonV5R1,
  ADDRESS_FORMAT_SPARK_MAINNET: sparkMainnet,
  ADDRESS_FORMAT_SPARK_REGTEST: sparkRegtest,
}

type PublicKey = Pick<KeyRecord, 'curve' | 'publicKey'>

/** The caller has checked that the format fits the curve. */
export function deriveAddress(format: AddressFormat, publicKey: Uint8Array, tools: AddressTools): Address {
  return { format, address: rules[format].derive(publicKey, tools) }
}

const publicKeyBytes: Record<Curve, number> = { secp256k1: 65, p256: 65, ed25519: 32 }

/**
 * The first format in which `name` is an address of this key, or undefined. Several formats may write the same address
 * (Bitcoin's test networks); all of them have the same scheme.
 * @param key Untrusted: no engine has opened it yet.
 */
export function addressFormatNamed(key: PublicKey, name: string, tools: AddressTools): AddressFormat | undefined {
  if (key.publicKey.length !== publicKeyBytes[key.curve]) return undefined
  const curve = nameOfCurve(key.curve)
  return addressFormats.find((format) => {
    const curves: readonly string[] = curvesOfAddressFormat[format]
    const { shape, derive, isSpelling } = rules[format]
    return curves.includes(curve) && shape.test(name) && isSpelling(name, derive(key.publicKey, tools))
  })
}

const schemeOfCurve: Record<Curve, Scheme> = { secp256k1: 'ecdsa', p256: 'ecdsa', ed25519: 'eddsa' }

/** How a key signs when the body calls it by an address of this format, or by its id. */
export function schemeOf(curve: Curve, format?: AddressFormat): Scheme {
  return (format === undefined ? undefined : rules[format].scheme) ?? schemeOfCurve[curve]
}

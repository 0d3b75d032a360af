import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mnemonicToSeedSync } from '@scure/bip39'
import test from 'ava'
import { curves } from '../../../signer-core/engine-reference/curves.ts'
import { deriveSecretKey } from '../../../signer-core/engine-reference/derivation.ts'
import { deriveAddress } from '../../../signer-core/gate/addresses/index.ts'
import { curvesOfAddressFormat, type AddressFormat } from '../../../signer-core/protocol/address-formats.ts'
import { curveOfName } from '../../../signer-core/protocol/curves.ts'
import { addressTools } from '../../support/address-tools.ts'

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors/derivation.json'), 'utf8')) as {
  mnemonic: string
  addresses: { path: string; format: AddressFormat; address: string }[]
}
const seed = mnemonicToSeedSync(vectors.mnemonic)

/** m/44'/60'/0'/0/0 as numbers, hardened ones with bit 31 set. */
function levelsOf(path: string): number[] {
  return path
    .split('/')
    .slice(1)
    .map((level) => Number.parseInt(level, 10) + (level.endsWith("'") ? 0x8000_0000 : 0))
}

test('BIP-32 and SLIP-10 paths lead to the addresses that wallets show', (t) => {
  t.is(vectors.addresses.length, 25)
  for (const { path, format, address } of vectors.addresses) {
    const curve = curveOfName[curvesOfAddressFormat[format][0]]
    const publicKey = curves[curve].publicKeyOf(deriveSecretKey(seed, curve, levelsOf(path)))
    t.is(deriveAddress(format, publicKey, addressTools).address, address, `${path} ${format}`)
  }
})

/** SLIP-10, test vector 1 for nist256p1. */
test('SLIP-10 on P-256', (t) => {
  const known = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
  const secretHex = (path: string) => Buffer.from(deriveSecretKey(known, 'p256', levelsOf(path))).toString('hex')
  t.is(secretHex('m'), '612091aaa12e22dd2abef664f8a01a82cae99ad7441b7ef8110424915c268bc2')
  t.is(secretHex("m/0'"), '6939694369114c67917a182c59ddb8cafc3004e63ca5d3b84403ba8613debc0c')
  t.is(secretHex("m/0'/1"), '284e9d38d07d21e4e281b645089a94f4cf5a5a81369acf151a1c3a57f18b2129')
})

test('a level that is not hardened is refused on ed25519', (t) => {
  t.throws(() => deriveSecretKey(seed, 'ed25519', levelsOf("m/44'/501'/0")), { any: true, is: 'bad-input' })
})

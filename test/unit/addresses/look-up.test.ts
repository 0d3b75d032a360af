import { base64url } from '@scure/base'
import test from 'ava'
import { addressFormatNamed, schemeOf } from '../../../signer-core/gate/addresses/index.ts'
import type { AddressFormat } from '../../../signer-core/protocol/address-formats.ts'
import { crc16Xmodem } from '../../../signer-core/protocol/crc16.ts'
import { lookupForm } from '../../../signer-core/protocol/key-names.ts'
import { addressTools } from '../../support/address-tools.ts'
import { addressCases, caseOf, type AddressCase } from '../../support/address-vectors.ts'

const isNamed = ({ key }: AddressCase, name: string) => addressFormatNamed(key, name, addressTools) !== undefined

test('a key is found by each of its addresses and by no address of another key', (t) => {
  const publicKeys = new Set(addressCases.map((each) => each.key.publicKey))
  t.is(publicKeys.size, 12)
  for (const each of addressCases) {
    t.true(isNamed(each, each.address), each.note)
    const others = addressCases.filter((other) => other.key.publicKey !== each.key.publicKey)
    for (const other of others) t.false(isNamed(other, each.address), each.note)
  }
})

const HEX_FORMATS = /_(?:UNCOMPRESSED|COMPRESSED|SUI|APTOS)$/
const BECH32_FORMATS = /_(?:COSMOS|SEI|P2WPKH|P2WSH|P2TR|SPARK_\w+)$/

/** One letter in the middle with its case changed. */
function mixed(address: string): string {
  const at = address.slice(10).search(/[a-z]/i) + 10
  const letter = address[at] as string
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return address.slice(0, at) + other + address.slice(at + 1)
}

/** What must be accepted beside the address as we write it, and what must not. */
function spellings({ format, address, alternates }: AddressCase): { same: string[]; different: string[] } {
  const [upper, lower] = [address.toUpperCase(), address.toLowerCase()]
  if (HEX_FORMATS.test(format)) return { same: [upper, lower, mixed(address)], different: [address.slice(0, -1)] }
  if (BECH32_FORMATS.test(format)) return { same: [upper], different: [mixed(address), mixed(upper)] }
  if (format === 'ADDRESS_FORMAT_ETHEREUM') {
    const digitsUpper = `0x${upper.slice(2)}`
    return { same: [upper, digitsUpper, lower], different: [mixed(address), mixed(lower), address.slice(2)] }
  }
  const { bounceable, raw, ...others } = alternates
  if (bounceable === undefined || raw === undefined) {
    return { same: [], different: [upper, lower, mixed(address)].filter((name) => name !== address) }
  }
  return { same: [bounceable, raw, raw.toUpperCase()], different: [mixed(address), ...Object.values(others)] }
}

test('other spellings of an address are accepted as the format allows, and no more', (t) => {
  let accepted = 0
  for (const each of addressCases) {
    const { same, different } = spellings(each)
    for (const name of same) t.is(addressFormatNamed(each.key, name, addressTools), firstLike(each), each.note)
    for (const name of different) t.false(isNamed(each, name), `${each.note} ${name}`)
    accepted += same.length
  }
  const [hex, bech32, ethereum, ton] = [8 + 12 + 4 + 4, 16 * 4, 4, 3 * 4]
  t.is(accepted, 3 * hex + bech32 + 3 * ethereum + 3 * ton)
})

/** Networks that write the same address are known by the first of them. */
function firstLike({ key, address }: AddressCase): AddressFormat | undefined {
  return addressCases.find((each) => each.key.publicKey === key.publicKey && each.address === address)?.format
}

test('gateway and signer agree: whatever the signer accepts has the form of the address', (t) => {
  for (const each of addressCases) {
    for (const name of spellings(each).same) t.is(lookupForm(name), lookupForm(each.address), each.note)
  }
})

test('the form tells all keys and formats apart', (t) => {
  const addresses = new Set(addressCases.map((each) => each.address))
  t.is(new Set([...addresses].map(lookupForm)).size, addresses.size)
})

test('a wrong checksum is no address', (t) => {
  for (const each of addressCases) {
    if (HEX_FORMATS.test(each.format) || each.format === 'ADDRESS_FORMAT_ETHEREUM') continue
    const wrong = BECH32_FORMATS.test(each.format) ? ['q', 'p'] : ['A', 'B']
    const last = each.address.endsWith(wrong[0] as string) ? wrong[1] : wrong[0]
    const name = `${each.address.slice(0, -1)}${last}`
    t.false(isNamed(each, name), each.note)
    t.is(lookupForm(name), name, each.note)
  }
})

test('scripts other than the chosen one are not ours', (t) => {
  const cases = addressCases.filter(({ format }) => /_P2W?SH$/.test(format))
  const names = cases.flatMap((each) => Object.values(each.alternates).map((name) => ({ each, name })))
  t.is(names.length, 4 * 4 * (3 + 2))
  for (const { each, name } of names) t.false(isNamed(each, name), name)
})

test('the name chooses the scheme', (t) => {
  for (const { key, format, address, note } of addressCases) {
    const spark = format.startsWith('ADDRESS_FORMAT_SPARK') ? 'bip340' : undefined
    const taproot = format.endsWith('_P2TR') ? 'bip340-taproot' : undefined
    const usual = key.curve === 'ed25519' ? 'eddsa' : 'ecdsa'
    t.is(schemeOf(key.curve, addressFormatNamed(key, address, addressTools)), spark ?? taproot ?? usual, note)
  }
  const { key } = caseOf('ADDRESS_FORMAT_SPARK_MAINNET')
  t.is(schemeOf(key.curve), 'ecdsa')
})

test('few addresses are derived for a name', (t) => {
  const { key, address } = caseOf('ADDRESS_FORMAT_SPARK_REGTEST')
  const none = { digest: () => t.fail(), taprootOutputKey: () => t.fail() }
  t.is(addressFormatNamed(key, address, none), 'ADDRESS_FORMAT_SPARK_REGTEST')
})

test('of TON, workchain 0 is known', (t) => {
  const inWorkchain = (workchain: number) => {
    const payload = Uint8Array.of(0x51, workchain, ...new Uint8Array(32))
    const checksum = crc16Xmodem(payload)
    return base64url.encode(Uint8Array.of(...payload, checksum >> 8, checksum & 255))
  }
  t.is(lookupForm(inWorkchain(0)), `0:${'00'.repeat(32)}`)
  t.is(lookupForm(inWorkchain(1)), inWorkchain(1))
})

test('a record whose public key has another length is nobody', (t) => {
  for (const { key, address, note } of addressCases) {
    for (const publicKey of [new Uint8Array(), key.publicKey.subarray(1), new Uint8Array(66)]) {
      t.is(addressFormatNamed({ ...key, publicKey }, address, addressTools), undefined, note)
    }
  }
})

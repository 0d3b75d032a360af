/** TON wallets: the address is the hash of the contract's initial state, of which only the data depends on the key. */
import { base64url } from '@scure/base'
import { bytesToHex, concatBytes, hexToBytes } from '../../protocol/bytes.ts'
import { crc16Xmodem } from '../../protocol/crc16.ts'
import type { AddressFormatRule } from './address-format.ts'
import { sameTonAccount } from './spellings.ts'

/** One wallet contract of workchain 0. */
interface Wallet {
  /** Representation hash and depth of the code cell. */
  codeHash: string
  codeDepth: number
  /** The data cell as binary digits; `key` is the public key in the same form. */
  data: (key: string) => string
}

const uint32 = (value: number) => value.toString(2).padStart(32, '0')
const seqno = uint32(0)
/** Default of TON's own libraries for the first wallet of a key. */
const subwallet = uint32(698_983_191)
/** W5: network -239 (mainnet), workchain 0, version 0 and subwallet 0 in one number. */
const mainnetWalletId = uint32(0x7fff_ff11)

export const tonV3R2 = wallet({
  codeHash: '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599',
  codeDepth: 0,
  data: (key) => seqno + subwallet + key,
})
/** The last bit: no plugins. */
export const tonV4R2 = wallet({
  codeHash: 'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0',
  codeDepth: 7,
  data: (key) => `${seqno}${subwallet}${key}0`,
})
/** The first bit: signatures are allowed. The last: no extensions. */
export const tonV5R1 = wallet({
  codeHash: '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f',
  codeDepth: 6,
  data: (key) => `1${seqno}${mainnetWalletId}${key}0`,
})

function wallet({ codeHash, codeDepth, data }: Wallet): AddressFormatRule {
  return {
    derive(publicKey, { digest }) {
      const dataHash = digest('sha256', leafCell(data(bitsOf(publicKey))))
      const code = hexToBytes(codeHash) as Uint8Array
      return friendly(digest('sha256', concatBytes(stateInitHead(codeDepth), code, dataHash)))
    },
    shape: /^(?:[EU]Q[A-Za-z0-9_-]{46}|0:[0-9a-fA-F]{64})$/,
    isSpelling: sameTonAccount,
  }
}

/** Representation of a cell without references: two descriptor bytes, then the bits, ended by a 1 and zeros. */
function leafCell(bits: string): Uint8Array {
  const [whole, started] = [Math.floor(bits.length / 8), Math.ceil(bits.length / 8)]
  const padded = whole === started ? bits : `${bits}1`.padEnd(8 * started, '0')
  return concatBytes(Uint8Array.of(0, whole + started), bytesOf(padded))
}

/** Start of a StateInit's representation: 2 references, 5 bits (code and data present), depths of code and data. */
function stateInitHead(codeDepth: number): Uint8Array {
  return Uint8Array.of(0x02, 0x01, 0x34, 0, codeDepth, 0, 0)
}

/** TEP-2: mainnet, not bounceable, workchain 0, URL-safe; the checksum has its high byte first. */
function friendly(account: Uint8Array): string {
  const payload = concatBytes(Uint8Array.of(0x51, 0x00), account)
  const checksum = crc16Xmodem(payload)
  return base64url.encode(concatBytes(payload, Uint8Array.of(checksum >> 8, checksum & 255)))
}

function bitsOf(bytes: Uint8Array): string {
  return BigInt(`0x${bytesToHex(bytes)}`)
    .toString(2)
    .padStart(8 * bytes.length, '0')
}

function bytesOf(bits: string): Uint8Array {
  return Uint8Array.from({ length: bits.length / 8 }, (_, i) => Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2))
}

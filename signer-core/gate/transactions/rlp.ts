/** Recursive length prefix (Ethereum Yellow Paper, appendix B), canonical form only. */
import { bytesToHex } from '../../protocol/bytes.ts'
import { withoutLeadingZeros } from './signature.ts'
import { TransactionError } from './transaction.ts'
import { checkLength, joinBytes } from './wire.ts'

export type RlpItem = Uint8Array | readonly RlpItem[]

/** A transaction is a list of lists of lists of lists at most: its access list's storage keys. */
export const RLP_DEPTH_MAX = 4
/** Most items in one text, lists included: bounds the time that many tiny items take. */
export const RLP_ITEMS_MAX = 8_192
/** Longest string or list whose length is written in the first byte. */
const SHORT_MAX = 55

/**
 * @param bytes Untrusted, of any length.
 * @throws {TransactionError} for anything but one item in its shortest encoding, or beyond the limits above.
 */
export function readRlp(bytes: Uint8Array): RlpItem {
  checkLength(bytes)
  const reader = new RlpReader(bytes)
  const item = reader.item(bytes.length, 0)
  if (reader.at !== bytes.length) throw new TransactionError('bytes after the RLP item')
  return item
}

class RlpReader {
  at = 0
  private items = 0
  private readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  item(end: number, depth: number): RlpItem {
    if (++this.items > RLP_ITEMS_MAX) throw new TransactionError('too many RLP items')
    const head = this.bytes[this.at++] as number
    if (head < 0x80) return this.bytes.subarray(this.at - 1, this.at)
    const isList = head >= 0xc0
    const length = this.length(head - (isList ? 0xc0 : 0x80), end)
    if (length > end - this.at) throw new TransactionError('RLP item longer than what holds it')
    return isList ? this.list(this.at + length, depth + 1) : this.string(length)
  }

  private string(length: number): Uint8Array {
    if (length === 1 && (this.bytes[this.at] as number) < 0x80) {
      throw new TransactionError('RLP byte written in two bytes')
    }
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  private list(end: number, depth: number): RlpItem[] {
    if (depth > RLP_DEPTH_MAX) throw new TransactionError('RLP lists nested too deeply')
    const items: RlpItem[] = []
    while (this.at < end) items.push(this.item(end, depth))
    return items
  }

  private length(short: number, end: number): number {
    if (short <= SHORT_MAX) return short
    const count = short - SHORT_MAX
    // Three bytes already reach beyond the longest transaction.
    if (count > 3 || count > end - this.at) throw new TransactionError('RLP item longer than what holds it')
    let length = 0
    for (const byte of this.bytes.subarray(this.at, this.at + count)) length = length * 256 + byte
    if (this.bytes[this.at] === 0 || length <= SHORT_MAX) throw new TransactionError('RLP length not minimal')
    this.at += count
    return length
  }
}

export function writeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    return item.length === 1 && (item[0] as number) < 0x80 ? item : withHead(0x80, item)
  }
  return withHead(0xc0, joinBytes(item.map(writeRlp)))
}

function withHead(base: number, payload: Uint8Array): Uint8Array {
  if (payload.length <= SHORT_MAX) return joinBytes([Uint8Array.of(base + payload.length), payload])
  const length = bigEndian(BigInt(payload.length))
  return joinBytes([Uint8Array.of(base + SHORT_MAX + length.length), length, payload])
}

/**
 * Reads a scalar: big-endian without leading zeros, zero being empty.
 * @throws {TransactionError} when it is a list, not minimal, or 2^bits and more.
 */
export function rlpInteger(item: RlpItem, bits: number): bigint {
  if (!(item instanceof Uint8Array)) throw new TransactionError('a list where a number should be')
  if (item[0] === 0) throw new TransactionError('number with leading zeros')
  if (item.length * 8 > bits) throw new TransactionError(`number of more than ${bits} bits`)
  return item.length === 0 ? 0n : BigInt(`0x${bytesToHex(item)}`)
}

/** The shortest big-endian bytes; empty for zero. */
export function bigEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32)
  let rest = value
  for (let i = 31; rest > 0n; i--) {
    bytes[i] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return withoutLeadingZeros(bytes)
}

/** Values of EIP-712 that are no structs and no arrays: from JSON to the word that is hashed and to the fact. */
import { bytesToHex, hexToBytes, utf8ToBytes } from '../../protocol/bytes.ts'
import type { JsonValue } from '../../protocol/strict-json.ts'
import type { Digest } from '../digest.ts'
import { readHex, readInteger } from '../json-payload.ts'
import { PayloadError } from '../payload-error.ts'

export interface Encoded {
  /** 32 bytes: `encodeData` of one member. */
  word: Uint8Array
  /** What policies see: hexadecimal in lower case with 0x, integers as decimal texts, all else as it is. */
  fact: JsonValue
}

/** @throws {PayloadError} when the value does not fit the type. */
export type EncodeAtomic = (value: JsonValue, digest: Digest) => Encoded

/** Names that Solidity gives a meaning, so that no struct may have them. */
const RESERVED = /^(?:address|bool|string|function|u?int[0-9]*|bytes[0-9]*|u?fixed(?:[0-9]+x[0-9]+)?)$/

export function isReserved(typeName: string): boolean {
  return RESERVED.test(typeName)
}

/** `uint` and `int` without a width are no types of EIP-712 and give undefined, as does every other unknown name. */
export function atomicOf(typeName: string): EncodeAtomic | undefined {
  const [, kind = '', digits] = /^([a-z]+)([1-9][0-9]{0,2})?$/.exec(typeName) ?? []
  const size = digits === undefined ? undefined : Number(digits)
  if (size === undefined) return unsized.get(kind)
  if (kind === 'bytes' && size <= 32) return fixedBytes(size)
  if ((kind === 'uint' || kind === 'int') && size % 8 === 0 && size <= 256) return integer(kind, size)
  return undefined
}

const unsized = new Map<string, EncodeAtomic>(Object.entries({ address, bool, string, bytes }))

function address(value: JsonValue): Encoded {
  const read = readHex(value)
  if (read?.length !== 20) throw new PayloadError('an address must be 0x and 40 hexadecimal digits')
  return { word: paddedLeft(bytesToHex(read)), fact: `0x${bytesToHex(read)}` }
}

function bool(value: JsonValue): Encoded {
  if (typeof value !== 'boolean') throw new PayloadError('a bool must be true or false')
  return { word: paddedLeft(value ? '1' : '0'), fact: value }
}

function string(value: JsonValue, digest: Digest): Encoded {
  if (typeof value !== 'string') throw new PayloadError('a string must be a JSON string')
  return { word: digest('keccak256', utf8ToBytes(value)), fact: value }
}

function bytes(value: JsonValue, digest: Digest): Encoded {
  const read = readHex(value)
  if (read === undefined) throw new PayloadError('bytes must be 0x and pairs of hexadecimal digits')
  return { word: digest('keccak256', read), fact: `0x${bytesToHex(read)}` }
}

function fixedBytes(length: number): EncodeAtomic {
  return (value) => {
    const read = readHex(value)
    if (read?.length !== length)
      throw new PayloadError('bytes of a fixed length must be 0x and exactly that many bytes')
    const word = new Uint8Array(32)
    word.set(read)
    return { word, fact: `0x${bytesToHex(read)}` }
  }
}

function integer(kind: 'uint' | 'int', bits: number): EncodeAtomic {
  const [min, end] = kind === 'uint' ? [0n, 1n << BigInt(bits)] : [-(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)]
  return (value) => {
    const read = readInteger(value)
    if (read === undefined) throw new PayloadError('an integer must be a whole number, decimal text or 0x text')
    if (read < min || read >= end) throw new PayloadError('an integer is out of the range of its type')
    return { word: paddedLeft(BigInt.asUintN(256, read).toString(16)), fact: read.toString() }
  }
}

/** @param digits At most 64. */
function paddedLeft(digits: string): Uint8Array {
  return hexToBytes(digits.padStart(64, '0')) as Uint8Array
}

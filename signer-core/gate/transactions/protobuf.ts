/**
 * Protocol buffers (encoding guide of protobuf.dev), in the one form that serialisers of proto3 agree on: fields in
 * ascending order, shortest varints, no default values, no groups and no fixed-width numbers.
 */
import { TransactionError } from './transaction.ts'
import { ByteReader, checkSame, joinBytes } from './wire.ts'

/** Varints are numbers below 2^64, everything with a length is bytes. */
export interface ProtobufField {
  number: number
  value: bigint | Uint8Array
}

/** Most fields of one message. A vote for all of Tron's witnesses, the longest list, has 30. */
export const PROTOBUF_FIELDS_MAX = 100
const VARINT = 0
const LENGTH_DELIMITED = 2
const FIELD_NUMBER_MAX = 0x1fff_ffffn

/** @throws {TransactionError} for anything that `writeProtobuf` would not write. */
export function readProtobuf(bytes: Uint8Array): ProtobufField[] {
  const reader = new ByteReader(bytes)
  const fields: ProtobufField[] = []
  while (!reader.atEnd) {
    const field = readField(reader)
    if (field.number < (fields.at(-1)?.number ?? 1)) throw new TransactionError('protobuf fields out of order')
    if (fields.push(field) > PROTOBUF_FIELDS_MAX) throw new TransactionError('too many protobuf fields')
  }
  checkSame(writeProtobuf(fields), bytes)
  return fields
}

function readField(reader: ByteReader): ProtobufField {
  const tag = readVarint(reader)
  if (tag >> 3n > FIELD_NUMBER_MAX) throw new TransactionError('protobuf field number out of range')
  const number = Number(tag >> 3n)
  const wireType = Number(tag & 7n)
  if (wireType === VARINT) {
    const value = readVarint(reader)
    if (value === 0n) throw new TransactionError('protobuf default value written')
    return { number, value }
  }
  if (wireType !== LENGTH_DELIMITED) throw new TransactionError('protobuf wire type that is not offered')
  const length = readVarint(reader)
  if (length === 0n) throw new TransactionError('protobuf default value written')
  return { number, value: reader.take(Number(length)) }
}

function readVarint(reader: ByteReader): bigint {
  let value = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.byte()
    value |= BigInt(byte & 0x7f) << shift
    if (byte >= 0x80) continue
    if (value >> 64n !== 0n || (byte === 0 && shift > 0n)) break
    return value
  }
  throw new TransactionError('a varint that is too long')
}

export function writeProtobuf(fields: readonly ProtobufField[]): Uint8Array {
  return joinBytes(
    fields.flatMap(({ number, value }) => {
      const tag = BigInt(number) << 3n
      if (typeof value === 'bigint') return [writeVarint(tag), writeVarint(value)]
      return [writeVarint(tag | BigInt(LENGTH_DELIMITED)), writeVarint(BigInt(value.length)), value]
    }),
  )
}

function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0))
    rest >>= 7n
  } while (rest > 0n)
  return Uint8Array.from(bytes)
}

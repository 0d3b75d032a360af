/** Kinds of fields in Tron's messages: how one is read into what policies see, and what its absence means. */
import { createBase58check } from '@scure/base'
import { bytesToHex } from '../../protocol/bytes.ts'
import type { JsonObject, JsonValue } from '../../protocol/strict-json.ts'
import type { Digest } from '../digest.ts'
import { readProtobuf, type ProtobufField } from './protobuf.ts'
import { TransactionError } from './transaction.ts'

export type Value = ProtobufField['value']

export interface TronField {
  /** As in the policy language, which is as in the .proto files. */
  name: string
  read: (value: Value, digest: Digest) => JsonValue
  /** What proto3 says an absent field is; undefined: the field must be there. */
  absent: JsonValue | undefined
  repeated?: true
}

/** Field number to field. */
export type TronMessage = Readonly<Record<number, TronField>>

/** int64, not negative, as a decimal string. */
export function amount(name: string): TronField {
  return { name, absent: '0', read: (value) => below(value, 1n << 63n).toString() }
}

/** bool. */
export function flag(name: string): TronField {
  return { name, absent: false, read: (value) => below(value, 2n) === 1n }
}

/** int32, not negative. */
export function small(name: string): TronField {
  return { name, absent: 0, read: (value) => Number(below(value, 1n << 31n)) }
}

/** ResourceCode of common.proto: `count` of its values are allowed. */
export function resource(count: 2 | 3): TronField {
  const names = ['BANDWIDTH', 'ENERGY', 'TRON_POWER']
  return {
    name: 'resource',
    absent: 'BANDWIDTH',
    read: (value) => names[Number(below(value, BigInt(count)))] as string,
  }
}

/** bytes as hex without 0x, of a certain length when it is given. */
export function hex(name: string, length?: number): TronField {
  const read = (value: Value) => bytesToHex(length === undefined ? bytes(value) : fixed(value, length))
  return { name, absent: length === undefined ? '' : undefined, read }
}

/** The number of a TRC-10 token, written in ASCII digits. */
export function tokenNumber(name: string): TronField {
  const read = (value: Value) => {
    const digits = bytes(value)
    if (digits.length > 19 || digits.some((digit) => digit < 0x30 || digit > 0x39)) {
      throw new TransactionError('a token that is not named by its number')
    }
    return String.fromCharCode(...digits)
  }
  return { name, absent: undefined, read }
}

/** 41 and the 20 bytes of an account, as base58check. */
export function address(name: string): TronField {
  return { name, absent: undefined, read: (value, digest) => tronAddress(fixed(value, 21), digest) }
}

/** Every one of them, in order; at least one. */
export function many(name: string, message: TronMessage): TronField {
  const read = (value: Value, digest: Digest) => readTronMessage(bytes(value), message, digest)
  return { name, absent: undefined, read, repeated: true }
}

export function tronAddress(account: Uint8Array, digest: Digest): string {
  if (account[0] !== 0x41) throw new TransactionError('an address that is not of Tron')
  return createBase58check((data: Uint8Array) => digest('sha256', data)).encode(account)
}

/** @throws {TransactionError} for unknown, double and missing fields and for values out of range. */
export function readTronMessage(encoded: Uint8Array, message: TronMessage, digest: Digest): JsonObject {
  const fields = fieldsOf(encoded, Object.keys(message).map(Number))
  const entries = Object.entries(message).map(([number, field]): [string, JsonValue] => {
    const values = (fields.get(Number(number)) ?? []).map((value) => field.read(value, digest))
    if (field.repeated !== true && values.length > 1) throw new TransactionError('a Tron message with a field twice')
    const value = field.repeated === true && values.length > 0 ? values : (values[0] ?? field.absent)
    if (value === undefined) throw new TransactionError('a Tron message without a field that it needs')
    return [field.name, value]
  })
  return Object.fromEntries(entries)
}

/** The values of each field, in order. @throws {TransactionError} for a field whose number is not in `known`. */
export function fieldsOf(encoded: Uint8Array, known: readonly number[]): Map<number, Value[]> {
  const fields = new Map<number, Value[]>()
  for (const { number, value } of readProtobuf(encoded)) {
    if (!known.includes(number)) throw new TransactionError('a Tron message with a field that is not offered')
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}

function below(value: Value, limit: bigint): bigint {
  if (typeof value !== 'bigint' || value >= limit) throw new TransactionError('a number out of its range')
  return value
}

export function bytes(value: Value): Uint8Array {
  if (typeof value === 'bigint') throw new TransactionError('a number where bytes should be')
  return value
}

function fixed(value: Value, length: number): Uint8Array {
  const content = bytes(value)
  if (content.length !== length) throw new TransactionError(`a field that is not ${length} bytes long`)
  return content
}

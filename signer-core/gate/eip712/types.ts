/** The `types` of typed data (EIP-712, "Definition of typed structured data"), read and checked as a whole. */
import { isJsonObject, type JsonValue } from '../../protocol/strict-json.ts'
import { hasExactly } from '../json-payload.ts'
import { PayloadError } from '../payload-error.ts'
import { atomicOf, isReserved, type EncodeAtomic } from './atomic.ts'

/** A type as a member names it, taken apart. */
export type Type =
  | { kind: 'atomic'; encode: EncodeAtomic }
  | { kind: 'struct'; name: string }
  /** `length`: undefined for any. */
  | { kind: 'array'; item: Type; length: number | undefined }

export interface Member {
  name: string
  type: Type
  /** The type as written: it is part of what is hashed. */
  typeText: string
}

/** Structs by name. */
export type Types = ReadonlyMap<string, readonly Member[]>

/** Longest name of a type or member, and longest type with all its brackets. */
export const TYPE_LENGTH_MAX = 256
/** Most dimensions of an array: values cannot nest deeper than JSON does. */
export const DIMENSIONS_MAX = 32

/** Solidity's identifiers. Types may have colons besides: Hyperliquid's are called `HyperliquidTransaction:UsdSend`. */
const MEMBER_NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/
const TYPE_NAME = /^[A-Za-z_$][A-Za-z0-9_$:]*$/
/** Base, then dimensions; a fixed length has no leading zeros and is not zero. */
const TYPE = /^([^[\]]+)((?:\[(?:[1-9][0-9]{0,8})?\])*)$/

/** @throws {PayloadError} for anything but well-formed structs that refer to each other and to EIP-712's types. */
export function readTypes(value: JsonValue | undefined): Types {
  if (!isJsonObject(value)) throw new PayloadError('types must be an object')
  const types = new Map<string, Member[]>()
  for (const [name, members] of Object.entries(value)) {
    if (!isName(name, TYPE_NAME) || isReserved(name)) throw new PayloadError('a type has an invalid name')
    types.set(name, readMembers(members))
  }
  for (const members of types.values()) {
    for (const { type } of members) checkKnown(type, types)
  }
  return types
}

function readMembers(value: JsonValue): Member[] {
  if (!Array.isArray(value)) throw new PayloadError('a type must be an array of members')
  const members = value.map(readMember)
  if (new Set(members.map((each) => each.name)).size < members.length) {
    throw new PayloadError('a type has two members of one name')
  }
  return members
}

function readMember(value: JsonValue): Member {
  if (!isJsonObject(value) || !hasExactly(value, ['name', 'type'])) {
    throw new PayloadError('a member of a type must have a name and a type, nothing else')
  }
  const { name, type } = value
  if (typeof name !== 'string' || !isName(name, MEMBER_NAME)) {
    throw new PayloadError('a member of a type has an invalid name')
  }
  return { name, type: readType(type), typeText: type as string }
}

function readType(value: JsonValue | undefined): Type {
  const [, base = '', brackets = ''] =
    typeof value === 'string' && value.length <= TYPE_LENGTH_MAX ? (TYPE.exec(value) ?? []) : []
  const encode = atomicOf(base)
  if (encode === undefined && (!TYPE_NAME.test(base) || isReserved(base))) {
    throw new PayloadError('a member of a type has an invalid type')
  }
  const lengths = [...brackets.matchAll(/\[([0-9]*)\]/g)].map(([, digits]) => digits)
  if (lengths.length > DIMENSIONS_MAX) throw new PayloadError('an array has too many dimensions')
  const type: Type = encode === undefined ? { kind: 'struct', name: base } : { kind: 'atomic', encode }
  return lengths.reduce<Type>(
    (item, digits) => ({ kind: 'array', item, length: digits === '' ? undefined : Number(digits) }),
    type,
  )
}

function checkKnown(type: Type, types: Types): void {
  const base = baseOf(type)
  if (base.kind === 'struct' && !types.has(base.name)) throw new PayloadError('a member has an unknown type')
}

/** What an array holds in the end; any other type itself. */
export function baseOf(type: Type): Exclude<Type, { kind: 'array' }> {
  let base = type
  while (base.kind === 'array') base = base.item
  return base
}

function isName(text: string, pattern: RegExp): boolean {
  return text.length <= TYPE_LENGTH_MAX && pattern.test(text)
}

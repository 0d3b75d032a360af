/** What the structured payloads have in common: JSON texts with exactly known members, integers of three spellings. */
import { hexToBytes } from '../protocol/bytes.ts'
import { isJsonObject, JsonError, parseStrictJson, type JsonObject, type JsonValue } from '../protocol/strict-json.ts'
import { PayloadError } from './payload-error.ts'

/** @throws {PayloadError} unless `text` is one strict JSON object. */
export function readJsonObject(text: string): JsonObject {
  try {
    const value = parseStrictJson(text)
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
  }
  throw new PayloadError('payload must be a JSON object')
}

/** Whether an object has these members, each once, and no other. */
export function hasExactly(value: JsonObject, names: readonly string[]): boolean {
  return Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name))
}

// 2^256 has 78 decimal digits.
const DECIMAL = /^-?[0-9]{1,78}$/
const HEXADECIMAL = /^0x[0-9a-fA-F]{1,64}$/

/** A whole JSON number, a decimal text or a hexadecimal text with 0x; undefined for anything else. */
export function readInteger(value: JsonValue): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && (DECIMAL.test(value) || HEXADECIMAL.test(value)) ? BigInt(value) : undefined
}

/** Bytes of a text with 0x and hexadecimal digits of either case; undefined for anything else. */
export function readHex(value: JsonValue): Uint8Array | undefined {
  return typeof value === 'string' && value.startsWith('0x') ? hexToBytes(value) : undefined
}

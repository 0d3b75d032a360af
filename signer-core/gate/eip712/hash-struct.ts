/** `hashStruct` of EIP-712. What is hashed and what policies see come from the same walk over the value. */
import { utf8ToBytes } from '../../protocol/bytes.ts'
import { isJsonObject, type JsonValue } from '../../protocol/strict-json.ts'
import type { Digest } from '../digest.ts'
import { PayloadError } from '../payload-error.ts'
import { joinBytes } from '../transactions/wire.ts'
import type { Encoded } from './atomic.ts'
import { encodeType } from './encode-type.ts'
import type { Type, Types } from './types.ts'

/** Most values in one payload, arrays and structs among them: each may cost a hash. */
export const VALUES_MAX = 1024
/** Most letters of `encodeType` over all structs of one payload: they can grow with the square of the payload. */
export const TYPE_TEXT_MAX = 65_536

/** Hashes the structs of one payload and keeps count of the work. */
export class StructHasher {
  private values = 0
  private typeText = 0
  private readonly typeHashes = new Map<string, Uint8Array>()
  private readonly types: Types
  private readonly digest: Digest
  constructor(types: Types, digest: Digest) {
    this.types = types
    this.digest = digest
  }

  /**
   * @param name A struct of the types.
   * @param value Every member of the struct and no other. JSON's limit on nesting bounds the depth.
   * @throws {PayloadError} when the value does not fit or is too large.
   */
  hash(name: string, value: JsonValue | undefined): Encoded {
    const members = this.types.get(name) ?? []
    if (!isJsonObject(value)) throw new PayloadError('a struct must be an object')
    const encoded = members.map((member) => {
      if (!Object.hasOwn(value, member.name)) throw new PayloadError('a struct lacks a member of its type')
      return { name: member.name, ...this.encode(member.type, value[member.name] as JsonValue) }
    })
    if (Object.keys(value).length > members.length) throw new PayloadError('a struct has a member that its type lacks')
    const words = [this.typeHash(name), ...encoded.map((each) => each.word)]
    const fact = Object.fromEntries(encoded.map((each) => [each.name, each.fact]))
    return { word: this.digest('keccak256', joinBytes(words)), fact }
  }

  private encode(type: Type, value: JsonValue): Encoded {
    if (++this.values > VALUES_MAX) throw new PayloadError('typed data has too many values')
    if (type.kind === 'atomic') return type.encode(value, this.digest)
    return type.kind === 'struct' ? this.hash(type.name, value) : this.encodeArray(type.item, type.length, value)
  }

  private encodeArray(item: Type, length: number | undefined, value: JsonValue): Encoded {
    if (!Array.isArray(value)) throw new PayloadError('an array must be a JSON array')
    if (length !== undefined && value.length !== length) throw new PayloadError('an array has the wrong length')
    const encoded = value.map((each) => this.encode(item, each))
    return {
      word: this.digest('keccak256', joinBytes(encoded.map((each) => each.word))),
      fact: encoded.map((each) => each.fact),
    }
  }

  private typeHash(name: string): Uint8Array {
    const known = this.typeHashes.get(name)
    if (known !== undefined) return known
    const text = encodeType(name, this.types)
    this.typeText += text.length
    if (this.typeText > TYPE_TEXT_MAX) throw new PayloadError('the types of typed data are too long')
    const hash = this.digest('keccak256', utf8ToBytes(text))
    this.typeHashes.set(name, hash)
    return hash
  }
}

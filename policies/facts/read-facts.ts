/** From the JSON in which facts are handed over to the values that expressions are evaluated over. */
import { isJsonObject, type JsonValue } from '../../signer-core/protocol/strict-json.ts'
import type { Type } from '../language/types.ts'
import type { Struct, Value } from '../language/values.ts'

/**
 * Members that the type does not have are left out; members that are not there stay absent.
 * @throws {Error} when a value does not fit its type: then whoever made the facts is at fault, not the request.
 */
export function readFacts(type: Extract<Type, { kind: 'struct' }>, json: JsonValue): Struct {
  if (!isJsonObject(json)) throw new Error(`facts: ${type.name} is not an object`)
  const facts = new Map<string, Value>()
  for (const name of Object.keys(json)) {
    const member = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
    if (member !== undefined) facts.set(name, readFact(member, json[name] as JsonValue))
  }
  return facts
}

function readFact(type: Type, json: JsonValue): Value {
  switch (type.kind) {
    case 'struct':
      return readFacts(type, json)
    case 'list':
      if (Array.isArray(json)) return json.map((item) => readFact(type.item, item))
      break
    case 'dynamic':
      return readDynamic(json)
    case 'int':
      return readInteger(json)
    case 'bool':
      if (typeof json === 'boolean') return json
      break
    case 'string':
      if (typeof json === 'string') return json
      break
    case 'timestamp':
      if (typeof json === 'number') return json
  }
  throw new Error(`facts: a value is not ${type.kind}`)
}

/** Numbers up to 2^53, and decimal texts. */
function readInteger(json: JsonValue): bigint {
  const isWhole = typeof json === 'number' && Number.isSafeInteger(json)
  if (isWhole || (typeof json === 'string' && /^-?[0-9]{1,78}$/.test(json))) return BigInt(json)
  throw new Error('facts: a value is not int')
}

/** Integers of typed data are decimal texts and stay so: next to an integer they are read as one. */
function readDynamic(json: JsonValue): Value {
  if (typeof json === 'number') return readInteger(json)
  if (Array.isArray(json)) return json.map(readDynamic)
  if (isJsonObject(json)) return new Map(Object.entries(json).map(([name, member]) => [name, readDynamic(member)]))
  if (json === null) throw new Error('facts: null')
  return json
}

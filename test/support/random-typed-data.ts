/** Random typed data, as viem wants it and as JSON text with all spellings that the wire allows. */
import { bytesToHex } from '../../signer-core/protocol/bytes.ts'
import type { SeededRandom } from './seeded-random.ts'

interface Member {
  name: string
  type: string
}
/** One value twice: with bigints and lower-case hexadecimal, and as some client may write it. */
interface Twice {
  plain: unknown
  written: unknown
}
export interface RandomTypedData {
  types: Record<string, Member[]>
  primaryType: string
  domain: Record<string, unknown>
  message: Record<string, unknown>
  /** The same as the payload of a request. */
  text: string
}

const STRUCT_DEPTH_MAX = 4
const domainMembers: Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]
const texts = ['', 'a', 'Hello', 'é', '✓', '😀', '"\\\n\u2028', '0x12', 'A(uint8 b)']

/** Below what the signer takes in one payload (signer-core/gate/eip712/hash-struct.ts): a few structures have more. */
const VALUES_MAX = 800

export function randomTypedData(random: SeededRandom): RandomTypedData {
  for (;;) {
    const generator = new Generator(random)
    const made = generator.make()
    if (generator.values <= VALUES_MAX) return made
  }
}

class Generator {
  private readonly random: SeededRandom
  private readonly structs: string[]
  private readonly types: Record<string, Member[]> = {}
  /** So many were made. */
  values = 0

  constructor(random: SeededRandom) {
    this.random = random
    this.structs = random.list(1 + random.below(5), (i) => `${random.pick(['Mail', 'z', 'Z_', 'a1', '_'])}${i}`)
  }

  make(): RandomTypedData {
    const domain = domainMembers.filter(() => this.random.below(3) > 0)
    this.structs.forEach((name, i) => {
      this.types[name] = this.random.list(this.random.below(6), (at) => ({ name: `m${at}`, type: this.type(i) }))
    })
    if (domain.length > 0 || this.random.below(2) === 0) this.types.EIP712Domain = domain
    const [primaryType] = this.structs as [string]
    const separator = this.struct(domain, 0)
    const message = this.struct(this.types[primaryType] as Member[], 0)
    const { types } = this
    const written = { types, primaryType, domain: separator.written, message: message.written }
    return {
      types,
      primaryType,
      domain: separator.plain as Record<string, unknown>,
      message: message.plain as Record<string, unknown>,
      text: JSON.stringify(written),
    }
  }

  /** A type for a member of struct `i`: directly only a later struct, or there would be no value. */
  private type(i: number): string {
    const dimensions = this.random.pick(['', '', '', '[]', '[2]', '[][1]', '[3][]'])
    const structs = dimensions === '[]' ? this.structs : this.structs.slice(i + 1)
    const base = structs.length > 0 && this.random.below(3) === 0 ? this.random.pick(structs) : this.atomic()
    return base + dimensions
  }

  private atomic(): string {
    const bits = 8 * (1 + this.random.below(32))
    const sized = [`uint${bits}`, `int${bits}`, `bytes${bits / 8}`]
    return this.random.pick(['address', 'bool', 'string', 'bytes', ...sized])
  }

  private struct(members: Member[], depth: number): Twice {
    const made = members.map((each) => [each.name, this.value(each.type, depth + 1)] as const)
    return {
      plain: Object.fromEntries(made.map(([name, { plain }]) => [name, plain])),
      written: Object.fromEntries(made.toReversed().map(([name, { written }]) => [name, written])),
    }
  }

  private value(type: string, depth: number): Twice {
    this.values++
    const array = /^(.*)\[(\d*)\]$/.exec(type)
    if (array !== null) return this.array(array[1] as string, array[2] as string, depth)
    const members = this.types[type]
    return members === undefined ? this.leaf(type) : this.struct(members, depth)
  }

  private array(item: string, digits: string, depth: number): Twice {
    const length = digits === '' ? this.random.below(depth > STRUCT_DEPTH_MAX ? 1 : 3) : Number(digits)
    const items = this.random.list(length, () => this.value(item, depth + 1))
    return { plain: items.map((each) => each.plain), written: items.map((each) => each.written) }
  }

  private leaf(type: string): Twice {
    const [, kind, digits] = /^([a-z]+)(\d*)$/.exec(type) as unknown as [string, string, string]
    if (kind === 'bool') return same(this.random.below(2) === 1)
    if (kind === 'string') return same(this.random.pick(texts))
    if (kind === 'address') return this.hex(20)
    if (kind === 'bytes') return this.hex(digits === '' ? this.random.below(70) : Number(digits))
    return this.integer(kind === 'int', BigInt(digits))
  }

  private hex(length: number): Twice {
    const digits = bytesToHex(this.random.bytes(length))
    return { plain: `0x${digits}`, written: `0x${this.random.pick([digits, digits.toUpperCase()])}` }
  }

  private integer(signed: boolean, bits: bigint): Twice {
    const raw = BigInt(`0x${bytesToHex(this.random.bytes(32))}`)
    const edges = signed ? [0n, -1n, 1n << (bits - 1n), (1n << (bits - 1n)) - 1n] : [0n, 1n, -1n]
    const wide = this.random.below(2) === 0 ? raw : this.random.pick(edges)
    const value = signed ? BigInt.asIntN(Number(bits), wide) : BigInt.asUintN(Number(bits), wide)
    const spellings: unknown[] = [value.toString()]
    if (value >= 0n) spellings.push(`0x${value.toString(16)}`)
    if (Number.isSafeInteger(Number(value))) spellings.push(Number(value))
    return { plain: value, written: this.random.pick(spellings) }
  }
}

function same(value: unknown): Twice {
  return { plain: value, written: value }
}

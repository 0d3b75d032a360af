/** Random expressions of the policy language that keep its types, and random facts for them. */
import { keywords, type PolicyField } from '../../policies/facts/schema.ts'
import type { Type } from '../../policies/language/types.ts'
import type { JsonValue } from '../../signer-core/protocol/strict-json.ts'
import type { NaiveValue } from './naive-policy.ts'
import type { SeededRandom } from './seeded-random.ts'

/** How tight the text binds: 0 `||`, 1 `&&`, 2 comparison, 3 `!`, 4 all else. */
type Piece = { text: string; level: number }
type Kind = 'bool' | 'int' | 'string' | 'timestamp'
interface Known {
  text: string
  type: Type
}

const texts = ['', 'a', 'b', 'SIGN', '0xab', '0xAB', '0xabcdef0123', '7', 'ADDRESS_TABLE_LOOKUP', 'ä']
const integers = ['0', '1', '2', '7', '500', String(2n ** 127n - 1n), String(2n ** 127n), String(2n ** 256n - 1n)]
const negatives = ['-1', String(-(2n ** 127n))]
const times = [
  '2026-03-01T00:00:00Z',
  '2026-03-01t00:00:00.5z',
  '1999-12-31T23:59:59+00:00',
  '2030-01-01T00:00:00-00:00',
]
const crons = ['* * * * *', '0 9 * * 1-5', '30 22 1,15 * *', '0 0 29 2 *', '15,45 0-6 1 * 3']
const durations = ['1m', '8h', '1d12h30m', '90m']
export const NOW_MS = Date.parse('2026-03-01T09:30:00Z')

export class RandomPolicies {
  private names = 0
  private readonly random: SeededRandom
  constructor(random: SeededRandom) {
    this.random = random
  }

  expression(field: PolicyField, depth = 3): string {
    const type = keywords[field]
    const known = Object.entries(type.fields).map(([text, each]): Known => ({ text, type: each }))
    return this.bool(known, depth).text
  }

  /** As JSON; `whole` facts lack nothing. */
  facts(type: Type, whole: boolean): JsonValue {
    if (type.kind === 'struct') {
      const members = Object.entries(type.fields).filter(() => whole || this.random.below(12) > 0)
      return Object.fromEntries(members.map(([name, member]) => [name, this.facts(member, whole)]))
    }
    if (type.kind === 'list') return this.random.list(this.random.below(4), () => this.facts(type.item, whole))
    if (type.kind === 'dynamic') return this.dynamic(2)
    if (type.kind === 'timestamp') return NOW_MS
    if (type.kind === 'bool') return this.random.below(2) === 0
    if (type.kind === 'string') return this.random.pick(texts)
    return this.random.below(2) === 0 ? this.random.pick(integers) : this.random.below(10)
  }

  private dynamic(depth: number): JsonValue {
    const kind = this.random.below(depth > 0 ? 7 : 4)
    if (kind === 0) return this.random.below(2) === 0
    if (kind === 1)
      return this.random.pick([...integers, ...negatives, String(2n ** 256n), String(-(2n ** 128n)), '007'])
    if (kind <= 3) return this.random.pick(texts)
    if (kind === 4) return this.random.list(this.random.below(3), () => this.dynamic(depth - 1))
    return Object.fromEntries(['a', 'b', 'c'].map((name) => [name, this.dynamic(depth - 1)]))
  }

  private bool(known: Known[], depth: number): Piece {
    const { random } = this
    switch (depth <= 0 ? random.below(4) : random.below(13)) {
      case 0:
        return this.path('bool', known) ?? this.equality(known, 0)
      case 1:
      case 2:
        return this.equality(known, depth)
      case 3:
        return this.comparison(known, depth, random.pick(['<', '>', '<=', '>=', '==', '!=']))
      case 4:
      case 5:
      case 6:
        return this.logic(known, depth, '&&', 1)
      case 7:
      case 8:
        return this.logic(known, depth, '||', 0)
      case 9:
        return { text: `!${this.wrapped(this.bool(known, depth - 1), 3)}`, level: 3 }
      case 10:
        return this.membership(known, depth)
      default:
        return this.quantified(known, depth)
    }
  }

  private logic(known: Known[], depth: number, operator: string, level: number): Piece {
    const operands = this.random.list(2 + this.random.below(2), () =>
      this.wrapped(this.bool(known, depth - 1), level + 1),
    )
    return { text: operands.join(this.spaced(operator)), level }
  }

  private equality(known: Known[], depth: number): Piece {
    const kind = this.random.pick<Kind>(['string', 'string', 'int', 'bool'])
    if (kind === 'int') return this.comparison(known, depth, this.random.pick(['==', '!=']))
    const make = () => (kind === 'bool' ? this.simpleBool(known, depth) : this.string(known, depth))
    return this.compared(make(), this.random.pick(['==', '!=']), make())
  }

  private simpleBool(known: Known[], depth: number): Piece {
    const literal = { text: this.random.pick(['true', 'false']), level: 4 }
    return this.random.below(2) === 0 ? literal : this.bool(known, depth - 1)
  }

  private comparison(known: Known[], depth: number, sign: string): Piece {
    const hasTime = known.some(({ text }) => text === 'time')
    if (hasTime && this.random.below(4) > 0) {
      if (this.random.below(8) === 0) return this.cronSpan()
      return this.compared(this.timestamp(known), sign, this.timestamp(known))
    }
    return this.compared(this.int(known, depth), sign, this.int(known, depth))
  }

  private compared(left: Piece, sign: string, right: Piece): Piece {
    return { text: `${this.wrapped(left, 3)}${this.spaced(sign)}${this.wrapped(right, 3)}`, level: 2 }
  }

  private membership(known: Known[], depth: number): Piece {
    const kind = this.random.pick<'int' | 'string'>(['int', 'string'])
    const value = kind === 'int' ? this.int(known, depth) : this.string(known, depth)
    const list = this.list(kind, known, depth)
    if (this.random.below(2) === 0) return { text: `${value.text} in ${list.text}`, level: 2 }
    return { text: `${list.text}.contains(${value.text})`, level: 4 }
  }

  private quantified(known: Known[], depth: number): Piece {
    const of = this.anyList(known, depth)
    const item = `i${this.names++}`
    const inner = [...known, { text: item, type: of.item }]
    const predicate = this.bool(this.random.below(2) === 0 ? inner : [inner.at(-1) as Known], depth - 1)
    return { text: `${of.text}.${this.random.pick(['any', 'all'])}(${item}, ${predicate.text})`, level: 4 }
  }

  private int(known: Known[], depth: number): Piece {
    const choice = this.random.below(4)
    if (choice === 0 && depth > 0) return { text: `${this.anyList(known, depth).text}.count()`, level: 4 }
    const path = choice === 1 ? undefined : this.path('int', known)
    return path ?? { text: this.random.pick([...integers, ...negatives]), level: 4 }
  }

  private string(known: Known[], depth: number): Piece {
    const choice = this.random.below(6)
    const path = choice === 0 ? undefined : this.path('string', known)
    const base = path ?? { text: `'${this.random.pick(texts)}'`, level: 4 }
    if (choice === 1 && depth > 0) return { text: `${base.text}[${this.random.below(3)}]`, level: 4 }
    const [start, end] = [this.random.below(2), 1 + this.random.below(3)]
    return choice === 2 && depth > 0 ? { text: `${base.text}[${start}..${end}]`, level: 4 } : base
  }

  private list(kind: 'int' | 'string', known: Known[], depth: number): Piece {
    const path = this.random.below(2) === 0 ? this.path(kind, known, true) : undefined
    if (path !== undefined) return path
    const items = this.random.list(1 + this.random.below(3), () =>
      kind === 'int' ? this.int(known, depth - 1).text : this.string(known, depth - 1).text,
    )
    return { text: `[${items.join(', ')}]`, level: 4 }
  }

  private anyList(known: Known[], depth: number): { text: string; item: Type } {
    const found = this.descend(known, (type) => type.kind === 'list')
    const list =
      found === undefined || found.type.kind !== 'list'
        ? { text: this.list('int', known, 0).text, item: { kind: 'int' } as Type }
        : { text: found.text, item: found.type.item }
    if (depth > 1 && this.random.below(4) === 0) {
      const item = `i${this.names++}`
      const predicate = this.bool([...known, { text: item, type: list.item }], depth - 2)
      return { ...list, text: `${list.text}.filter(${item}, ${predicate.text})` }
    }
    return this.random.below(8) === 0 ? { ...list, text: `${list.text}[0..${this.random.below(3)}]` } : list
  }

  private timestamp(known: Known[]): Piece {
    const path = this.random.below(2) === 0 ? this.path('timestamp', known) : undefined
    return path ?? { text: `Timestamp('${this.random.pick(times)}')`, level: 4 }
  }

  private cronSpan(): Piece {
    const { random } = this
    return { text: `CronSpan('${random.pick(crons)}', '${random.pick(durations)}', 'UTC')`, level: 4 }
  }

  /** A way to a value of that kind, or to something dynamic in its place. */
  private path(kind: Kind, known: Known[], inList = false): Piece | undefined {
    const fits = (type: Type) => type.kind === kind || (type.kind === 'dynamic' && kind !== 'timestamp')
    const found = this.descend(known, (type) => (inList ? type.kind === 'list' && fits(type.item) : fits(type)))
    return found === undefined ? undefined : { text: found.text, level: 4 }
  }

  /** Walks from a name at random until something fits. */
  private descend(known: Known[], fits: (type: Type) => boolean): Known | undefined {
    for (let tries = 0; tries < 10; tries++) {
      let at: Known | undefined = this.random.pick(known)
      for (let steps = 0; at !== undefined && steps < 8; steps++) {
        if (fits(at.type) && !(at.type.kind === 'dynamic' && this.random.below(3) === 0)) return at
        at = this.step(at)
      }
    }
    return undefined
  }

  private step({ text, type }: Known): Known | undefined {
    if (type.kind === 'struct') {
      const [name, member] = this.random.pick(Object.entries(type.fields))
      return { text: `${text}.${name}`, type: member }
    }
    if (type.kind === 'list') return { text: `${text}[${this.random.below(2)}]`, type: type.item }
    if (type.kind !== 'dynamic') return undefined
    const name = this.random.pick(['a', 'b', 'c', 'd'])
    return { text: text + this.random.pick([`.${name}`, `['${name}']`, '[0]']), type }
  }

  private wrapped({ text, level }: Piece, tightest: number): string {
    return level < tightest || this.random.below(10) === 0 ? `(${text})` : text
  }

  private spaced(sign: string): string {
    const space = () => this.random.pick(['', ' ', '\n\t'])
    return space() + sign + space()
  }
}

/** The same facts as the naive evaluator wants them: integers where the schema says so. */
export function naiveFacts(type: Type, json: JsonValue): NaiveValue {
  if (type.kind === 'struct') {
    const members = Object.entries(json as Record<string, JsonValue>)
    return Object.fromEntries(members.map(([name, member]) => [name, naiveFacts(type.fields[name] as Type, member)]))
  }
  if (type.kind === 'list') return (json as JsonValue[]).map((item) => naiveFacts(type.item, item))
  return type.kind === 'int' ? BigInt(json as string | number) : (json as NaiveValue)
}

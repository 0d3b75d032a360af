/**
 * The one JSON reader of the house, on both sides of the signer's border (RFC 8259, narrowed).
 *
 * Stricter than JSON.parse wherever two readers of the same bytes could differ: duplicate members, lone
 * surrogates, numbers that do not survive a double, and nesting beyond `JSON_DEPTH_MAX` are refused.
 */
import { JSON_DEPTH_MAX } from './limits.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
export type JsonObject = { [name: string]: JsonValue }

/** Why a text was refused; never holds the text. */
export class JsonError extends Error {
  override name = 'JsonError'
}

/** @throws {JsonError} on anything that is not exactly one strict JSON value. */
export function parseStrictJson(text: string): JsonValue {
  if (!text.isWellFormed()) throw new JsonError('lone surrogate')
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
// A run of a string without escapes; control characters must be escaped (RFC 8259 section 7).
// oxlint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y
const LITERALS: [string, null | boolean][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

class Reader {
  private at = 0
  private readonly text: string
  constructor(text: string) {
    this.text = text
  }

  value(depth: number): JsonValue {
    this.take(SPACE)
    const first = this.text[this.at]
    if (first === '{') return this.object(depth + 1)
    if (first === '[') return this.array(depth + 1)
    if (first === '"') return this.string()
    for (const [word, meaning] of LITERALS) {
      if (!this.text.startsWith(word, this.at)) continue
      this.at += word.length
      return meaning
    }
    return this.number()
  }

  end(): void {
    this.take(SPACE)
    if (this.at !== this.text.length) throw new JsonError('text after the value')
  }

  private object(depth: number): JsonObject {
    this.enter(depth)
    const members: JsonObject = {}
    if (this.closes('}')) return members
    do {
      this.take(SPACE)
      if (this.text[this.at] !== '"') throw new JsonError('member name expected')
      const name = this.string()
      if (Object.hasOwn(members, name)) throw new JsonError('duplicate member')
      this.take(SPACE)
      this.expect(':')
      const value = this.value(depth)
      // Not an assignment: a member called __proto__ must stay a member.
      Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
    } while (this.continues('}'))
    return members
  }

  private array(depth: number): JsonValue[] {
    this.enter(depth)
    const items: JsonValue[] = []
    if (this.closes(']')) return items
    do items.push(this.value(depth))
    while (this.continues(']'))
    return items
  }

  private string(): string {
    this.at++
    let value = ''
    for (;;) {
      value += this.take(PLAIN)
      const unit = this.text[this.at++]
      if (unit === '"') break
      if (unit !== '\\') throw new JsonError('string not closed or control character')
      value += this.escape()
    }
    if (!value.isWellFormed()) throw new JsonError('lone surrogate')
    return value
  }

  private escape(): string {
    const kind = this.text[this.at++] ?? ''
    if (kind !== 'u') {
      const meaning = ESCAPES[kind]
      if (meaning === undefined) throw new JsonError('unknown escape')
      return meaning
    }
    const digits = this.text.slice(this.at, this.at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new JsonError('unknown escape')
    this.at += 4
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  private number(): number {
    const digits = this.take(NUMBER)
    if (digits === '') throw new JsonError('value expected')
    const value = Number(digits)
    if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) throw new JsonError('number beyond 2^53')
    // Two texts of one value would be two bodies of one canonical form: -0, and digits that vanish.
    if (value === 0 && /^-|^[^eE]*[1-9]/.test(digits)) throw new JsonError('number that is not its own value')
    return value
  }

  private enter(depth: number): void {
    if (depth > JSON_DEPTH_MAX) throw new JsonError('nested too deeply')
    this.at++
  }

  private closes(end: string): boolean {
    this.take(SPACE)
    if (this.text[this.at] !== end) return false
    this.at++
    return true
  }

  private continues(end: string): boolean {
    if (this.closes(end)) return false
    this.expect(',')
    return true
  }

  private expect(unit: string): void {
    if (this.text[this.at++] !== unit) throw new JsonError(`${unit} expected`)
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? ''
    this.at += found.length
    return found
  }
}

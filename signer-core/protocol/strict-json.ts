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
  const printed = parsePrinted(text)
  if (printed !== undefined) return printed
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

/** Far below what ends JSON.parse in the component: 5,000 levels and more. A shorter text has no more of them. */
const BRACKETS_MAX = 2_000

/**
 * What most clients send, a text just as JSON.stringify prints it, read without the reader below: in the component that
 * is five times as fast. A text that is printed again as it was has no member twice and no number that is another.
 *
 * @returns undefined for any other text, good or bad, and for what only the reader looks at closely: escapes by number
 * (lone surrogates among them), and more brackets than JSON.parse could stand if all were nested.
 */
function parsePrinted(text: string): JsonValue | undefined {
  if (text.includes('\\u') || !hasFewBrackets(text)) return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    return isNarrow(value, 0) && JSON.stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

function hasFewBrackets(text: string): boolean {
  if (text.length <= BRACKETS_MAX) return true
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > BRACKETS_MAX) return false
    }
  }
  return true
}

/** Neither nested too deeply nor with a number beyond 2^53. @param depth Of what it lies in. */
function isNarrow(value: JsonValue, depth: number): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return true
  if (depth >= JSON_DEPTH_MAX) return false
  const items = Array.isArray(value) ? value : Object.values(value)
  return items.every((item) => isNarrow(item, depth + 1))
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

/**
 * The policy language a second time, to compare with: it cuts the text at its loosest sign, again and again, without
 * tokens, tree or types. Slow, and it takes only what the real one has accepted.
 */
export type NaiveValue = boolean | bigint | string | number | NaiveValue[] | { [name: string]: NaiveValue }
export type NaiveFacts = { [name: string]: NaiveValue }

/** Why there is no value; the real one must have none either. */
export class NaiveError extends Error {}

export function naive(text: string, facts: NaiveFacts): NaiveValue {
  const source = text.trim()
  for (const [sign, combine] of [
    ['||', (values: boolean[]) => values.some(Boolean)],
    ['&&', (values: boolean[]) => values.every(Boolean)],
  ] as const) {
    const parts = cut(source, sign)
    if (parts.length > 1) return combine(parts.map((part) => truth(naive(part, facts))))
  }
  for (const sign of ['==', '!=', '<=', '>=', '<', '>', 'in'] as const) {
    const [left, right] = cut(source, sign)
    if (left !== undefined && right !== undefined) return compared(sign, naive(left, facts), naive(right, facts))
  }
  if (source.startsWith('!')) return !truth(naive(source.slice(1), facts))
  return operand(source, facts)
}

function operand(source: string, facts: NaiveFacts): NaiveValue {
  if (/^'[^']*'$/.test(source)) return source.slice(1, -1)
  if (/^-?\s*[0-9]+$/.test(source)) return BigInt(source.replaceAll(/\s/g, ''))
  if (source === 'true' || source === 'false') return source === 'true'
  if (source.endsWith(')')) return called(source, facts)
  if (source.endsWith(']')) return bracketed(source, facts)
  const [of, name] = cutLast(source, '.')
  return of === undefined ? member(facts, name) : member(naive(of, facts), name)
}

function called(source: string, facts: NaiveFacts): NaiveValue {
  const open = openingOf(source)
  const before = source.slice(0, open).trim()
  const inside = source.slice(open + 1, -1)
  if (before === '') return naive(inside, facts)
  const [of, method] = cutLast(before, '.')
  if (of === undefined) return timed(method, cut(inside, ','), facts)
  const items = naive(of, facts)
  if (!Array.isArray(items)) throw new NaiveError('no list')
  if (method === 'count') return BigInt(items.length)
  if (method === 'contains') return among(naive(inside, facts), items)
  const [name = '', predicate = ''] = cut(inside, ',', 2)
  const holds = items.map((item) => truth(naive(predicate, { ...facts, [name.trim()]: item })))
  if (method === 'any') return holds.some(Boolean)
  return method === 'all' ? holds.every(Boolean) : items.filter((_, i) => holds[i])
}

function bracketed(source: string, facts: NaiveFacts): NaiveValue {
  const open = openingOf(source)
  const before = source.slice(0, open).trim()
  const inside = source.slice(open + 1, -1)
  if (before === '') return cut(inside, ',').map((item) => naive(item, facts))
  const of = naive(before, facts)
  const [start, end] = cut(inside, '..').map((part) => naive(part, facts))
  if (end === undefined && typeof start === 'string' && isMap(of)) return member(of, start)
  if (typeof of !== 'string' && !Array.isArray(of)) throw new NaiveError('no list')
  const from = Number(whole(start as NaiveValue))
  if (end === undefined) {
    if (from < 0 || from >= of.length) throw new NaiveError('no such index')
    return of[from] as NaiveValue
  }
  const to = Number(whole(end))
  if (from < 0 || to > of.length || from > to) throw new NaiveError('no such slice')
  return of.slice(from, to)
}

function timed(name: string, texts: string[], facts: NaiveFacts): NaiveValue {
  const [first = '', second = ''] = texts.map((text) => text.trim().slice(1, -1))
  if (name === 'Timestamp') return Date.parse(first.replace('z', 'Z').replace('t', 'T'))
  const now = member(member(facts, 'time'), 'now') as number
  return naiveCronSpan(first, second, now)
}

/** Looks at every minute at which a window could have opened. */
export function naiveCronSpan(cron: string, duration: string, nowMs: number): boolean {
  const unit = { d: 86_400_000, h: 3_600_000, m: 60_000 }
  const parts = [...duration.matchAll(/([0-9]+)([dhm])/g)]
  const length = parts.reduce((sum, [, count, name]) => sum + Number(count) * unit[name as keyof typeof unit], 0)
  for (let fire = Math.floor(nowMs / 60_000) * 60_000; fire + length > nowMs; fire -= 60_000) {
    if (fires(cron, new Date(fire))) return true
  }
  return false
}

function fires(cron: string, at: Date): boolean {
  const fields = cron.split(' ')
  const matches = (i: number, value: number) =>
    fields[i] === '*' ||
    (fields[i] as string).split(',').some((part) => {
      const [from, to = from] = part.split('-').map(Number)
      return value >= (from as number) && value <= (to as number)
    })
  const [day, week] = [matches(2, at.getUTCDate()), matches(4, at.getUTCDay())]
  const isDay = fields[2] !== '*' && fields[4] !== '*' ? day || week : day && week
  return isDay && matches(0, at.getUTCMinutes()) && matches(1, at.getUTCHours()) && matches(3, at.getUTCMonth() + 1)
}

function compared(sign: string, left: NaiveValue, right: NaiveValue): boolean {
  if (sign === 'in') {
    if (!Array.isArray(right)) throw new NaiveError('no list')
    return among(left, right)
  }
  if (sign === '==') return same(left, right)
  if (sign === '!=') return !same(left, right)
  const both = typeof left === 'number' && typeof right === 'number'
  const [a, b] = both ? [left, right] : [whole(left), whole(right)]
  if (sign === '<') return a < b
  if (sign === '>') return a > b
  return sign === '<=' ? a <= b : a >= b
}

function among(value: NaiveValue, items: NaiveValue[]): boolean {
  return items.map((item) => same(item, value)).some(Boolean)
}

function same(left: NaiveValue, right: NaiveValue): boolean {
  if (typeof left === 'bigint' || typeof right === 'bigint') return whole(left) === whole(right)
  if (typeof left === 'object' || typeof left !== typeof right) throw new NaiveError('not comparable')
  if (typeof left !== 'string' || typeof right !== 'string') return left === right
  const hexadecimal = /^0x[0-9a-f]+$/i
  const isLike = hexadecimal.test(left) && hexadecimal.test(right) && left.toLowerCase() === right.toLowerCase()
  return left === right || (isLike && left.startsWith('0x') && right.startsWith('0x'))
}

function whole(value: NaiveValue): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value !== 'string' || !/^(0|-?[1-9][0-9]*)$/.test(value)) throw new NaiveError('no integer')
  const read = BigInt(value)
  if (read < -(2n ** 127n) || read >= 2n ** 256n) throw new NaiveError('out of range')
  return read
}

function truth(value: NaiveValue): boolean {
  if (typeof value !== 'boolean') throw new NaiveError('no bool')
  return value
}

function isMap(value: NaiveValue): value is NaiveFacts {
  return typeof value === 'object' && !Array.isArray(value)
}

function member(of: NaiveValue, name: string): NaiveValue {
  if (!isMap(of) || !Object.hasOwn(of, name.trim())) throw new NaiveError('no such member')
  return of[name.trim()] as NaiveValue
}

/** Where the bracket opens that the last character closes. */
function openingOf(source: string): number {
  const outside = outsideOf(source)
  const end = source.length - 1
  let open = end - 1
  while (open >= 0 && !(outside[open] === true && '(['.includes(source[open] as string))) open--
  return open
}

/** Cuts at a sign outside brackets and strings, at most into `most` parts. */
function cut(source: string, sign: string, most = Infinity): string[] {
  if (!source.includes(sign)) return [source]
  const outside = outsideOf(source)
  const parts: string[] = []
  let start = 0
  for (let at = source.indexOf(sign); at >= 0 && parts.length + 1 < most; at = source.indexOf(sign, at + 1)) {
    if (at < start || outside[at] !== true || !standsAlone(source, sign, at)) continue
    parts.push(source.slice(start, at))
    start = at + sign.length
  }
  return [...parts, source.slice(start)]
}

/** `in` may be part of a name. */
function standsAlone(source: string, sign: string, at: number): boolean {
  return sign !== 'in' || !/\w/.test((source[at - 1] ?? ' ') + (source[at + 2] ?? ' '))
}

function cutLast(source: string, sign: string): [string | undefined, string] {
  const parts = cut(source, sign)
  const last = parts.pop() as string
  return [parts.length === 0 ? undefined : parts.join(sign), last.trim()]
}

/** For each character whether it stands outside all brackets and strings; a bracket does when its pair does. */
function outsideOf(source: string): boolean[] {
  if (last.source !== source) last = { source, outside: marked(source) }
  return last.outside
}

/** The same text is cut at one sign after the other. */
let last: { source: string; outside: boolean[] } = { source: '', outside: [] }

function marked(source: string): boolean[] {
  let depth = 0
  let quoted = false
  const outside: boolean[] = []
  // By units, not characters: places in the text are counted so.
  for (let at = 0; at < source.length; at++) {
    const unit = source[at]
    if (unit === "'") {
      quoted = !quoted
      outside.push(false)
    } else if (quoted) outside.push(false)
    else if (unit === '(' || unit === '[') outside.push(depth++ === 0)
    else if (unit === ')' || unit === ']') outside.push(--depth === 0)
    else outside.push(depth === 0)
  }
  return outside
}

import test from 'ava'
import canonicalize from 'canonicalize'
import { JSON_DEPTH_MAX } from '../../../signer-core/protocol/limits.ts'
import { JsonError, parseStrictJson, type JsonValue } from '../../../signer-core/protocol/strict-json.ts'
import { fuzzCount, seedOfRun, SeededRandom } from '../../support/seeded-random.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('what JSON.parse reads, it reads the same', (t) => {
  const texts = [
    '{}',
    '[]',
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1.5',
    '-0.25e2',
    '1E3',
    '""',
    '"a\\u00e9\\n\\"\\\\\\/"',
    '"\\ud83d\\ude00"',
    ' \t\r\n{ "a" : [ 1 , { "b" : null } ] } ',
    '{"":1}',
    '"\u2028 é 😀"',
    '9007199254740991',
    '[1,[2,[3]]]',
  ]
  for (const text of texts) t.deepEqual(parseStrictJson(text), JSON.parse(text), text)
})

test('what RFC 8259 does not allow is refused', (t) => {
  const texts = [
    '',
    ' ',
    '{',
    '[',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '{a:1}',
    "{'a':1}",
    '01',
    '+1',
    '.5',
    '1.',
    '1e',
    '-',
    'NaN',
    'Infinity',
    'tru',
    'nul',
    '"',
    '"\n"',
    '"\t"',
    '"\\x"',
    '"\\u12"',
    '"\\u12g4"',
    '1 2',
    '{} {}',
    '\ufeff{}',
    '[1 2]',
    '{"a" 1}',
    '\u00a01',
  ]
  for (const text of texts) t.throws(() => parseStrictJson(text), { instanceOf: JsonError }, JSON.stringify(text))
})

test('what two readers could take for different things is refused', (t) => {
  const texts = [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"a":1,"b":2,"a":3}}',
    '{"__proto__":1,"__proto__":2}',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\ud800"',
    '{"\\ud800":1}',
    '9007199254740992',
    '-9007199254740992',
    '1e16',
    '1e400',
    '-1e400',
    '-0',
    '-0.0',
    '1e-400',
    '[-0]',
  ]
  for (const text of texts) t.throws(() => parseStrictJson(text), { instanceOf: JsonError }, JSON.stringify(text))
})

test('nesting is taken up to its limit', (t) => {
  t.notThrows(() => parseStrictJson(nested(JSON_DEPTH_MAX - 1)))
  t.notThrows(() => parseStrictJson(nested(JSON_DEPTH_MAX)))
  t.throws(() => parseStrictJson(nested(JSON_DEPTH_MAX + 1)), { instanceOf: JsonError })
})

test('__proto__ is a member like any other', (t) => {
  const value = parseStrictJson('{"__proto__":{"isAdmin":true}}') as Record<string, JsonValue>
  t.is((value as { isAdmin?: boolean }).isAdmin, undefined)
  t.deepEqual(Object.keys(value), ['__proto__'])
  t.is(canonicalize(value), '{"__proto__":{"isAdmin":true}}')
})

test('on random texts it never reads more than JSON.parse, and never otherwise', (t) => {
  const seed = seedOfRun()
  const count = fuzzCount(200_000)
  const random = new SeededRandom(seed)
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '"\\u0061"',
    '1',
    '-0',
    '2.5',
    '1e5',
    'true',
    'null',
    ' ',
    '"\\ud800"',
    '"é"',
    '0',
    '\n',
    '"',
  ]
  let read = 0
  for (let i = 0; i < count; i++) {
    const text = random.list(1 + random.below(9), () => random.pick(pieces)).join('')
    let value: JsonValue
    try {
      value = parseStrictJson(text)
    } catch (error) {
      if (!(error instanceof JsonError)) t.fail(`seed ${seed}: ${JSON.stringify(text)} threw ${String(error)}`)
      continue
    }
    read++
    if (canonicalize(value) !== canonicalize(JSON.parse(text)))
      t.fail(`seed ${seed}: ${JSON.stringify(text)} read differently`)
  }
  t.log(`seed ${seed}, ${count} inputs, ${read} read`)
  t.true(read > count * 0.05, `only ${read} texts were JSON`)
})

test('a text as JSON.stringify prints it is read and refused like any other', (t) => {
  const seed = seedOfRun()
  const count = fuzzCount(50_000)
  const random = new SeededRandom(seed)
  const numbers = ['0', '1', '-1', '1.5', '1e5', '1e+21', '5e-324', '-0', '1.0', '9007199254740991', '9007199254740992']
  const strings = ['"a"', '""', '"é\\n\\""', '"\\ud800"', '"\\u001f"', '"\\u0061"', '"[{[{"', 'true', 'null']
  const names = ['a', 'b', 'c', '1', '0', '__proto__', 'toJSON', '\\u0061', 'é']
  const valueText = (depth: number): string => {
    const kind = depth > 3 ? random.below(2) : random.below(4)
    const items = random.list(random.below(4), () => depth + 1)
    if (kind === 0) return random.pick(numbers)
    if (kind === 1) return random.pick(strings)
    if (kind === 2) return `[${items.map(valueText).join(',')}]`
    return `{${items.map((below) => `"${random.pick(names)}":${valueText(below)}`).join(',')}}`
  }
  const outcomeOf = (text: string) => {
    try {
      return JSON.stringify(parseStrictJson(text))
    } catch (error) {
      if (!(error instanceof JsonError)) t.fail(`seed ${seed}: ${text} threw ${String(error)}`)
      return 'refused'
    }
  }
  let [read, refused] = [0, 0]
  for (let i = 0; i < count; i++) {
    const around = random.below(8) === 0 ? JSON_DEPTH_MAX - random.below(4) : 0
    const text = '['.repeat(around) + valueText(0) + ']'.repeat(around)
    const outcome = outcomeOf(text)
    if (outcome === 'refused') refused++
    else read++
    // No text that begins with a space is printed so.
    if (outcomeOf(` ${text}`) !== outcome) t.fail(`seed ${seed}: ${text}`)
  }
  t.log(`seed ${seed}, ${read} read, ${refused} refused`)
  t.true(read > count * 0.1 && refused > count * 0.1)
})

test('brackets without end are refused, however many', (t) => {
  for (const count of [1_000, 2_001, 250_000]) {
    for (const bracket of ['[', '{"a":']) {
      t.throws(() => parseStrictJson(bracket.repeat(count)), { instanceOf: JsonError })
      t.throws(() => parseStrictJson(`{"a":"${bracket.replaceAll('"', '\\"').repeat(count)}`), {
        instanceOf: JsonError,
      })
    }
  }
})

/** Grammar: what binds how tightly, what every text means, where a fault is. */
import test from 'ava'
import { parseExpression } from '../../../policies/language/parser.ts'
import { tokensOf } from '../../../policies/language/tokens.ts'
import { refusalOf, shown } from '../../support/policies.ts'

const read: Record<string, string> = {
  'a || b && c': '(a || (b && c))',
  'a && b || c': '((a && b) || c)',
  'a || b || c': '(a || b || c)',
  '(a || b) || c': '((a || b) || c)',
  '(a || b) && c': '((a || b) && c)',
  'a && b == c': '(a && (b == c))',
  '!a == b': '((!a) == b)',
  '!(a == b)': '(!(a == b))',
  '!!a': '(!(!a))',
  '!a.b': '(!(a.b))',
  'a in b && c': '((a in b) && c)',
  'a in [1, 2]': '(a in [1, 2])',
  'ina == inb': '(ina == inb)',
  'a.b.c': '((a.b).c)',
  'a[0].b[1..2]': '((((a[0]).b)[1..2]))'.slice(1, -1),
  "a['b'].c": "((a['b']).c)",
  '[1,2,3][0..2]': '([1, 2, 3][0..2])',
  "'abc'[0]": "('abc'[0])",
  'a.any(x, x == 1 || y)': '(a.any(x, ((x == 1) || y)))',
  'a.all(x, true)': '(a.all(x, true))',
  'a.filter(x, x.b).count() >= 2': '(((a.filter(x, (x.b))).count()) >= 2)',
  'a.contains(b.c)': '(a.contains((b.c)))',
  'a.counted': '(a.counted)',
  '-5 < 5': '(-5 < 5)',
  '- 5 < 5': '(-5 < 5)',
  'a\t\r\n&&\nb': '(a && b)',
  "''": "''",
  "'\\' == 'a\\b'": "('\\' == 'a\\b')",
  "Timestamp('1970-01-01T00:00:01Z')": '1000',
  "CronSpan('* * * * *', '1m', 'UTC')": 'CronSpan',
  '170141183460469231731687303715884105728': '170141183460469231731687303715884105728',
  [String(2n ** 256n - 1n)]: String(2n ** 256n - 1n),
  [String(-(2n ** 127n))]: String(-(2n ** 127n)),
}

for (const [text, expected] of Object.entries(read)) {
  test(`reads ${text.replaceAll(/\s/g, ' ')}`, (t) => t.is(shown(parseExpression(text)), expected))
}

/** Text, place of the fault, part of the message. */
const refused: [string, number, string][] = [
  ['', 0, 'too early'],
  ['   ', 3, 'too early'],
  ['a &&', 4, 'too early'],
  ['a && && b', 5, 'a name or a value'],
  ['a b', 2, 'should end here'],
  ['(a', 2, ') should stand here'],
  ['a)', 1, 'should end here'],
  ['a[', 2, 'too early'],
  ['a[1', 3, '] should stand here'],
  ['a[1..', 5, 'too early'],
  ['a[..2]', 2, 'a name or a value'],
  ['a[0..1..2]', 6, '] should stand here'],
  ['[]', 1, 'a name or a value'],
  ['[1,]', 3, 'a name or a value'],
  ['a.', 2, 'too early'],
  ['a.1', 2, 'a name or a value'],
  ['a.in', 2, 'a name or a value'],
  ['true.a(', 4, 'no such method'],
  ['a == b == c', 7, 'do not chain'],
  ['a < b < c', 6, 'do not chain'],
  ['1 in [1] == true', 9, 'do not chain'],
  ['a = b', 2, 'does not have'],
  ['a & b', 2, 'does not have'],
  ['a + b', 2, 'does not have'],
  ['a ? b', 2, 'does not have'],
  ['ä', 0, 'does not have'],
  ["a == 'b", 5, 'without its end'],
  ["a == 'b\n'", 5, 'without its end'],
  ["a == 'b\u0000'", 5, 'without its end'],
  ['a == "b"', 5, 'single quotes'],
  ['a == 01', 5, 'leading zeros'],
  ['a == 1x', 5, 'decimal digits'],
  ['a == 0x10', 5, 'decimal digits'],
  ['1in [1]', 0, 'decimal digits'],
  ['a == 1.5', 7, 'a name or a value'],
  ['a == --5', 6, 'a number'],
  ['a == -b', 6, 'a number'],
  ['a - 5', 2, 'should end here'],
  [`a == ${2n ** 256n}`, 5, '256 bits'],
  [`a == -${2n ** 127n + 1n}`, 6, '256 bits'],
  [`a == ${'9'.repeat(5000)}`, 5, '256 bits'],
  ['wallets.count == 1', 7, 'written like count()'],
  ['a.count(1)', 8, ') should stand here'],
  ['a.size()', 1, 'no such method: there are all, any, filter, contains, count'],
  ['a.any(x)', 7, ', should stand here'],
  ['a.any(1, true)', 6, 'a name or a value'],
  ['a.any(true, true)', 6, 'a name or a value'],
  ['a.contains()', 11, 'a name or a value'],
  ['a.contains(1, 2)', 12, ') should stand here'],
  ['a.any(x, y, z)', 10, ') should stand here'],
  ['size(a)', 5, 'a string should stand here'],
  ["size('a')", 0, 'functions are'],
  ["Timestamp('a', 'b')", 0, 'functions are'],
  ["Timestamp('2026-01-01')", 0, 'a timestamp must look like'],
  ["CronSpan('* * * * *', '1m')", 0, 'functions are'],
  ["CronSpan('* * * * *', '1m', 'Europe/Paris')", 0, 'time zone must be one of UTC, Etc/UTC'],
  ["CronSpan('* * * * *', 'x', 'UTC')", 0, 'duration'],
  ["CronSpan('* * * *', '1m', 'UTC')", 0, 'cron'],
  ["a == { id: 'b' }", 5, 'does not have'],
]

for (const [text, at, message] of refused) {
  test(`refuses ${JSON.stringify(text.slice(0, 60))}`, (t) => {
    const refusal = refusalOf(text) ?? 'accepted'
    t.true(refusal.startsWith(`${at}: `) && refusal.includes(message), refusal)
  })
}

test('messages hold no part of the text', (t) => {
  const secret = 'zebra'
  for (const text of [
    secret,
    `activity.${secret}`,
    `'${secret}' < 'b'`,
    `${secret}('a')`,
    `wallets.${secret}(x)`,
    `'${secret}`,
  ]) {
    t.false((refusalOf(text) ?? secret).includes(secret), text)
  }
})

test('every token knows its place', (t) => {
  const tokens = tokensOf("a.b == 'c' && 12")
  t.deepEqual(
    tokens.map(({ at, text }) => [at, text]),
    [
      [0, 'a'],
      [1, '.'],
      [2, 'b'],
      [4, '=='],
      [7, 'c'],
      [11, '&&'],
      [14, '12'],
      [16, ''],
    ],
  )
})

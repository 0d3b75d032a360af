/** Values: every operator on every type that it takes, and every way to have no value. */
import test from 'ava'
import { readFacts } from '../../../policies/facts/read-facts.ts'
import { bool, dynamic, int, list, string, struct } from '../../../policies/language/types.ts'
import { refusalOf, valueOf } from '../../support/policies.ts'

const user = struct('User', { id: string, tags: list(string), email: string })
const type = struct('test', {
  yes: bool,
  five: int,
  big: int,
  text: string,
  empty: list(int),
  numbers: list(int),
  users: list(user),
  map: dynamic,
  absent: struct('absent', { field: int }),
})
const facts = readFacts(type, {
  yes: true,
  five: 5,
  big: String(2n ** 256n - 1n),
  text: '0xABcdef',
  empty: [],
  numbers: [1, 2, '3'],
  users: [
    { id: 'a', tags: ['x', 'y'], email: 'a@b.c' },
    { id: 'b', tags: [] },
  ],
  map: {
    five: '5',
    minus: '-7',
    padded: '05',
    large: String(2n ** 256n),
    long: '9'.repeat(5000),
    small: String(-(2n ** 127n) - 1n),
    number: 9,
    yes: true,
    word: 'word',
    'odd name': 'here',
    list: ['1', '2', 'x'],
    structs: [{ kind: 'k', n: '3' }, { kind: 'l' }],
    count: '4',
    constructor: 'own',
  },
})

/** Left: expressions that hold. Right: expressions that do not. */
const holds: [string, string][] = [
  ['true', 'false'],
  ['yes', '!yes'],
  ['!false', '!!false'],
  ['true && true && true', 'true && true && false'],
  ['false || false || true', 'false || false'],
  ['true || false && false', '(true || false) && false'],
  ['yes == true', 'yes != true'],
  ['five == 5', 'five != 5'],
  ['five < 6', 'five < 5'],
  ['five > 4', 'five > 5'],
  ['five <= 5', 'five <= 4'],
  ['five >= 5', 'five >= 6'],
  ['-3 < -2', '-2 < -3'],
  [`big == ${2n ** 256n - 1n}`, `big == ${2n ** 256n - 2n}`],
  [`big > ${2n ** 127n}`, 'big < 0'],
  ["'a' == 'a'", "'a' == 'A'"],
  ["'a' != 'b'", "'a' != 'a'"],
  ["text == '0xabCDEF'", "text == '0xabcde'"],
  ["'0xabg' != '0xABg'", "'0xabg' == '0xABg'"],
  ["'0X12ab' != '0X12AB'", "'abcd' == 'ABCD'"],
  ['5 in [4, five]', '5 in [4, 6]'],
  ["'b' in ['a', 'b']", "'c' in ['a', 'b']"],
  ["'0xAB' in ['0xab']", "'0xAB' in ['ab']"],
  ['numbers.contains(3)', 'numbers.contains(4)'],
  ['true in [yes]', 'false in [yes]'],
  ['numbers[2] == 3', 'numbers[0] == 3'],
  ["text[0..4] == '0xab'", "text[0..4] == '0xac'"],
  ["text[2] == 'A'", "text[2] == 'a'"],
  ["text[8..8] == ''", "text[7..8] == ''"],
  ['numbers[1..3].count() == 2', 'numbers[1..1].count() == 2'],
  ['numbers[0..3].all(n, n <= 3)', 'numbers.all(n, n < 3)'],
  ['numbers.any(n, n == 2)', 'numbers.any(n, n == 4)'],
  ['empty.all(n, false)', 'empty.any(n, true)'],
  ['empty.count() == 0', '1 in empty'],
  ['numbers.filter(n, n > 1).count() == 2', 'numbers.filter(n, n > 1).contains(1)'],
  ["users[0].id == 'a'", "users[1].id == 'a'"],
  ["users.any(u, u.tags.contains('y'))", "users.all(u, u.tags.contains('y'))"],
  ['users.any(u, users.any(v, u.id != v.id))', 'users.any(u, users.all(v, u.id == v.id))'],
  ["users.filter(u, u.tags.count() == 0)[0].id == 'b'", 'users.filter(u, u.tags.count() == 0).count() == 2'],
  ['map.five == 5', 'map.five == 6'],
  ["map.five == '5'", "map.five == '05'"],
  ["map['five'] < 6", "map['five'] > 6"],
  ['map.minus < 0', 'map.minus > -7'],
  ['map.number == 9', 'map.number > map.number'],
  ['map.five < map.number', 'map.number < map.five'],
  ['map.five != map.word', 'map.five == map.minus'],
  ['map.yes && map.yes == true', '!map.yes'],
  ["map.word[0..2] == 'wo'", "map.word[0] == 'o'"],
  ["map['odd name'] == 'here'", "map['odd name'] != 'here'"],
  ["map.list.contains('x') && 'x' in map.list", "map.list.contains('y')"],
  ['map.list[0] == 1', 'map.list[1] == 1'],
  ['map.list[0..2].all(n, n < 3)', 'map.list[0..2].any(n, n >= 3)'],
  ["map.structs.filter(s, s.kind == 'k')[0].n == 3", "map.structs.any(s, s.kind == 'm')"],
  ['map.structs.count() == 2', 'map.count == 5'],
  ["map.count == 4 && map.constructor == 'own'", "map.constructor == 'other'"],
]
for (const [yes, no] of holds) {
  test(`${yes} holds, ${no} does not`, (t) => {
    t.is(valueOf(yes, type, facts), true)
    t.is(valueOf(no, type, facts), false)
  })
}

const errors: [string, string][] = [
  ['absent.field == 1', 'missing_field'],
  ["users[1].email == 'a'", 'missing_field'],
  ["users.any(u, u.email == 'a@b.c')", 'missing_field'],
  ['map.other == 1', 'missing_field'],
  ['map.toString == 1', 'missing_field'],
  ["map['__proto__'] == 1", 'missing_field'],
  ['map.structs.all(s, s.n == 3)', 'missing_field'],
  ['numbers[3] == 1', 'out_of_range'],
  ['numbers[-1] == 1', 'out_of_range'],
  [`numbers[${2n ** 200n}] == 1`, 'out_of_range'],
  ['empty[0] == 1', 'out_of_range'],
  ["text[8] == 'a'", 'out_of_range'],
  ["text[0..9] == 'a'", 'out_of_range'],
  ["text[2..1] == 'a'", 'out_of_range'],
  ["text[-1..1] == 'a'", 'out_of_range'],
  ['numbers[0..4].count() == 3', 'out_of_range'],
  ['map.large > 1', 'out_of_range'],
  ['map.long > 1', 'wrong_type'],
  ['map.small < 1', 'out_of_range'],
  ['map.word > 1', 'wrong_type'],
  ['map.word == 1', 'wrong_type'],
  ['map.padded == 5', 'wrong_type'],
  ['map.yes == 1', 'wrong_type'],
  ["map.yes == 'true'", 'wrong_type'],
  ['map.yes < map.yes', 'wrong_type'],
  ['map.word', 'wrong_type'],
  ['!map.five', 'wrong_type'],
  ['map.list == map.list', 'wrong_type'],
  ["map.list == 'x'", 'wrong_type'],
  ['map == map', 'wrong_type'],
  ['map.word.field == 1', 'wrong_type'],
  ['map.list.field == 1', 'wrong_type'],
  ["map.list['a'] == 1", 'wrong_type'],
  ['map.yes[0] == 1', 'wrong_type'],
  ['map[0] == 1', 'wrong_type'],
  ['map[0..1].count() == 1', 'wrong_type'],
  ['map.word.count() == 4', 'wrong_type'],
  ["map.word.contains('w')", 'wrong_type'],
  ['map.yes.any(x, true)', 'wrong_type'],
  ['map.list.contains(1)', 'wrong_type'],
  ['5 in map.list', 'wrong_type'],
]
for (const [text, code] of errors) test(`${text} is ${code}`, (t) => t.is(valueOf(text, type, facts), code))

test('an error in any clause is an error of the whole, whatever the others say', (t) => {
  const bad = 'absent.field == 1'
  for (const text of [
    `false && ${bad}`,
    `${bad} && false`,
    `true || ${bad}`,
    `${bad} || true`,
    `!(true || ${bad})`,
    `numbers.any(n, n == 1 || ${bad})`,
    `numbers.all(n, n == 2 && ${bad})`,
    `numbers.filter(n, n == 9 && ${bad}).count() == 0`,
    `(${bad}) == true`,
    `true in [true, ${bad}]`,
  ]) {
    t.is(valueOf(text, type, facts), 'missing_field', text)
  }
  // Of an empty list no item is looked at.
  t.is(valueOf(`empty.all(n, ${bad})`, type, facts), true)
})

test('an empty map of facts has nothing', (t) => {
  t.is(valueOf('yes', type, new Map()), 'missing_field')
})

test('facts that do not fit the schema are a fault of whoever made them', (t) => {
  const bad = [
    { yes: 1 },
    { five: '5x' },
    { five: 1.5 },
    { five: true },
    { text: 5 },
    { numbers: {} },
    { users: [5] },
    { map: null },
  ]
  for (const json of bad) t.throws(() => readFacts(type, json), { message: /^facts: / }, JSON.stringify(json))
  t.throws(() => readFacts(type, []), { message: /^facts: / })
})

test('what the schema does not have is left out', (t) => {
  t.deepEqual([...readFacts(type, { yes: true, unknown: { a: 1 } }).keys()], ['yes'])
  t.is(refusalOf('unknown', type)?.includes('no such keyword'), true)
})

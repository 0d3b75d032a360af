/** Types: what every operator takes, and that names and fields which no request has are refused when written. */
import test from 'ava'
import type { PolicyField } from '../../../policies/facts/schema.ts'
import { bool, dynamic, int, list, string, struct, timestamp } from '../../../policies/language/types.ts'
import { refusalOf } from '../../support/policies.ts'

const user = struct('User', { id: string, tags: list(string) })
const keywords = struct('test', {
  b: bool,
  i: int,
  s: string,
  d: dynamic,
  is: list(int),
  users: list(user),
  user,
  time: struct('time', { now: timestamp }),
})

const accepted = [
  ...['b', 'd', 'true', '!b', '!d', 'b && d || true', 'b == false', 'b != d'],
  ...['i == 1', 'i != d', 'i < 1', 'd >= i', 'd < d', '1 <= 2', 'i > -1'],
  ...["s == 'a'", 's != d', "'a' == 'b'", 'd == d', 'd == true'],
  ...['i in is', '1 in [1, 2]', "s in ['a', s]", 'd in is', 's in d', 'true in [b]', 'i in [d, 1]'],
  ...['is.contains(i)', "user.tags.contains('a')", 'd.contains(1)', 'is.count() == 1', 'd.count() > d.count()'],
  ...[
    'is[0] == 1',
    "s[0] == 'a'",
    's[i] == s[0..1]',
    'is[0..2].count() == 2',
    'd[0] == 1',
    "d['a'].b == 's'",
    'd[0..1] == s',
  ],
  ...[
    'users.any(u, u.id == s)',
    'users.filter(u, u.tags.contains(s)).all(u, true)',
    'd.any(x, x.y)',
    'users[0].id == s',
  ],
  ...['users.all(u, users.any(v, u.id == v.id))', 'users.any(u, true) && users.any(u, false)'],
  ...["time.now >= Timestamp('2026-01-01T00:00:00Z')", "CronSpan('* * * * *', '1m', 'UTC')", 'time.now == time.now'],
]
for (const text of accepted) test(`accepts ${text}`, (t) => t.is(refusalOf(text, keywords), undefined))

/** Text, place of the fault, part of the message. */
const refused: [string, number, string][] = [
  ['i', 0, 'this is int, but bool is needed'],
  ['s', 0, 'this is string, but bool'],
  ['users', 0, 'this is list<User>, but bool'],
  ['user', 0, 'this is User, but bool'],
  ['is.filter(x, true)', 2, 'this is list<int>, but bool'],
  ['time.now', 4, 'this is timestamp, but bool'],
  ['unknown', 0, 'no such keyword: test has b, i, s, d, is, users, user, time'],
  ['toString', 0, 'no such keyword'],
  ['user.email == s', 4, 'no such field: User has id, tags'],
  ['user.constructor == s', 4, 'no such field'],
  ['users.id == s', 5, 'list<User> has no fields'],
  ['s.length == 1', 1, 'string has no fields'],
  ['b && i', 5, 'this is int'],
  ['s || b', 0, 'this is string'],
  ['!i', 1, 'this is int'],
  ["i == 's'", 2, '== does not take int and string'],
  ['b == 1', 2, '== does not take bool and int'],
  ["s < 'b'", 2, '< does not take string and string'],
  ['b < true', 2, '< does not take bool and bool'],
  ['d < s', 2, '< does not take dynamic and string'],
  ['is == is', 3, '== does not take list<int> and list<int>'],
  ['user == user', 5, '== does not take User and User'],
  ['d == is', 2, '== does not take dynamic and list<int>'],
  ['d == user', 2, '== does not take'],
  ['time.now == 1', 9, '== does not take timestamp and int'],
  ['time.now == d', 9, '== does not take timestamp and dynamic'],
  ['time.now in d', 9, 'a list of dynamic cannot hold timestamp'],
  ['i in i', 2, 'int is no list'],
  ['s in is', 2, 'a list of int cannot hold string'],
  ["is.contains('a')", 2, 'a list of int cannot hold string'],
  ['users.contains(user)', 5, 'a list of User cannot hold User'],
  ['user in users', 5, 'a list of User cannot hold User'],
  ['s.count() == 1', 1, 'string is no list'],
  ['s.any(x, true)', 1, 'string is no list'],
  ["[1, 'a'].count() == 2", 4, 'of one scalar type'],
  ['[user].count() == 1', 1, 'of one scalar type'],
  ['[is].count() == 1', 1, 'of one scalar type'],
  ['i[0] == 1', 1, 'int has no indices'],
  ['user[0] == 1', 4, 'User has no indices'],
  ["user['id'] == s", 5, 'this is string, but int is needed'],
  ["is['a'] == 1", 3, 'this is string, but int'],
  ['d[s] == 1', 2, 'this is string, but int'],
  ['is[b] == 1', 3, 'this is bool, but int'],
  ["is[0..'a'].count() == 1", 6, 'this is string, but int'],
  ['b[0..1] == 1', 1, 'bool has no slices'],
  ['users.any(u, u.id)', 14, 'this is string, but bool'],
  ['users.any(user, true)', 5, 'name of the item is taken'],
  ['users.any(u, users.any(u, true))', 18, 'name of the item is taken'],
  ['users.any(u, true) && u.id == s', 22, 'no such keyword'],
]
for (const [text, at, message] of refused) {
  test(`refuses ${text}`, (t) => {
    const refusal = refusalOf(text, keywords) ?? 'accepted'
    t.true(refusal.startsWith(`${at}: `) && refusal.includes(message), refusal)
  })
}

/** Each field of a policy has keywords of its own. */
const foreign: [PolicyField, string][] = [
  ['condition', "approvers.any(u, u.id == 'a')"],
  ['condition', "time.now > Timestamp('2026-01-01T00:00:00Z')"],
  ['condition', "CronSpan('* * * * *', '1m', 'UTC')"],
  ['consensus', "activity.type == 'a'"],
  ['consensus', "Timestamp('2026-01-01T00:00:00Z') < Timestamp('2026-01-02T00:00:00Z')"],
  ['time', "eth.tx.to == 'a'"],
  ['time', 'approvers.count() == 1'],
]
for (const [field, text] of foreign) {
  test(`${field} does not know ${text}`, (t) => t.regex(refusalOf(text, field) ?? '', /no such keyword|time field/))
}

/** Fields that the documentation has and this service does not: better refused than an error for ever. */
const notOffered = [
  "eth.tx.function_name == 'transfer'",
  "eth.tx.contract_call_args['wad'] < 5",
  'tempo.tx.chain_id == 1',
  "solana.tx.instructions[0].parsed_instruction_data.instruction_name == 'a'",
  "activity.params.payload == 'a'",
]
for (const text of notOffered)
  test(`refuses ${text}`, (t) => t.regex(refusalOf(text) ?? '', /no such (?:field|keyword)/))

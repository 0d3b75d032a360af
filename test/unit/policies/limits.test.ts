/** Limits at their edges and hostile inputs. Work is counted in steps and look-ups, never timed. */
import test from 'ava'
import { compilePolicy, policyFaults } from '../../../policies/policy.ts'
import { readFacts } from '../../../policies/facts/read-facts.ts'
import { decideOnActivity } from '../../../policies/decision.ts'
import {
  DECISION_STEPS_MAX,
  EVALUATION_STEPS_MAX,
  EXPRESSION_DEPTH_MAX,
  EXPRESSION_LENGTH_MAX,
} from '../../../policies/language/limits.ts'
import { EvaluationError } from '../../../policies/language/errors.ts'
import { Steps } from '../../../policies/language/steps.ts'
import { SPAN_STEPS } from '../../../policies/language/cron-span.ts'
import { UNITS_PER_STEP } from '../../../policies/language/operations.ts'
import { keywords } from '../../../policies/facts/schema.ts'
import { bool, dynamic, int, list, string, struct } from '../../../policies/language/types.ts'
import type { Value } from '../../../policies/language/values.ts'
import { refusalOf, stepsOf, valueOf } from '../../support/policies.ts'

const type = struct('test', { yes: bool, numbers: list(int), text: string, d: dynamic, word: string })
const facts = readFacts(type, { yes: true, numbers: [1, 2, 3, 4], text: 'x'.repeat(640), word: 'word', d: { a: '1' } })

test('length, at the edge and one more', (t) => {
  const padded = (length: number) => 'yes'.padEnd(length)
  t.is(refusalOf(padded(EXPRESSION_LENGTH_MAX), type), undefined)
  t.regex(refusalOf(padded(EXPRESSION_LENGTH_MAX + 1), type) ?? '', /longer than 8192/)
})

/** A text of so many levels. */
const nestings: Record<string, (depth: number) => string> = {
  parentheses: (depth) => `${'('.repeat(depth - 1)}true${')'.repeat(depth - 1)}`,
  negations: (depth) => `${'!'.repeat(depth - 1)}true`,
  fields: (depth) => `d${'.a'.repeat(depth - 1)}`,
  indices: (depth) => `d${'[0]'.repeat(depth - 1)}`,
  quantifiers: (depth) =>
    // A predicate stands one level below its method.
    `${Array.from({ length: depth - 1 }, (_, i) => `numbers.any(x${i}, `).join('')}yes${')'.repeat(depth - 1)}`,
}
for (const [name, make] of Object.entries(nestings)) {
  test(`depth by ${name}, at the edge and one more`, (t) => {
    t.is(refusalOf(make(EXPRESSION_DEPTH_MAX), type), undefined)
    t.regex(refusalOf(make(EXPRESSION_DEPTH_MAX + 1), type) ?? '', /nested more than 32 deep/)
  })
}

const bombs: Record<string, string> = {
  parentheses: '('.repeat(EXPRESSION_LENGTH_MAX),
  brackets: '['.repeat(EXPRESSION_LENGTH_MAX),
  negations: '!'.repeat(EXPRESSION_LENGTH_MAX),
  fields: `d${'.a'.repeat(4_000)}`,
  indices: `d${'[0]'.repeat(2_700)}`,
  'indices in indices': 'd['.repeat(4_000),
  methods: 'd.any(x,'.repeat(1_000),
  slices: `d${'[0..1]'.repeat(1_300)}`,
  'mixed nesting': '(!d[('.repeat(1_600),
}
for (const [name, text] of Object.entries(bombs)) {
  test(`a bomb of ${name} is refused`, (t) => t.regex(refusalOf(text, type) ?? '', /nested more than 32 deep/))
}

test('long lists and long chains are read whole', (t) => {
  t.is(valueOf(`5 in [${Array.from({ length: 2_000 }, () => '1').join(',')}]`, type, facts), false)
  t.is(valueOf(Array.from({ length: 1_000 }, () => 'yes').join('&&'), type, facts), true)
  t.is(valueOf(Array.from({ length: 1_000 }, () => '!yes').join('||'), type, facts), false)
})

/** Fewest steps of each: one for a node, one for an item that is compared or copied. */
const counted: [string, number][] = [
  ['true', 1],
  ['yes', 1],
  ['!yes', 2],
  ['yes && yes && yes', 4],
  ['1 == 1', 3],
  ["d.a == '1'", 4],
  // comparison, 5, list, three literals, three comparisons
  ['5 in [1, 2, 3]', 9],
  // contains, name, value, four comparisons
  ['numbers.contains(5)', 7],
  // quantifier, name, then comparison, item and literal for each of four
  ['numbers.all(n, n > 0)', 14],
  ['numbers.count() == 4', 4],
  // comparison, count, slice, name, two bounds, four items, literal
  ['numbers[0..4].count() == 4', 11],
  [`text == text`, 3 + 640 / UNITS_PER_STEP],
  [`text[0..640] == word`, 6 + 640 / UNITS_PER_STEP],
  [`text[0..${UNITS_PER_STEP - 1}] == word`, 6],
]
for (const [text, steps] of counted)
  test(`${text} takes ${steps} steps`, (t) => t.is(stepsOf(text, type, facts), steps))

test('a span costs what it may cost in the worst case', (t) => {
  const time = new Map([['time', new Map([['now', 0]])]])
  t.is(stepsOf("CronSpan('* * * * *', '1m', 'UTC')", keywords.time, time), 1 + SPAN_STEPS)
})

test('steps, at the edge and one more', (t) => {
  const numbers = (count: number) => new Map<string, Value>([['numbers', Array.from({ length: count }, () => 1n)]])
  // contains, name and value stand around the items.
  t.is(valueOf('numbers.contains(2)', type, numbers(EVALUATION_STEPS_MAX - 3)), false)
  t.is(valueOf('numbers.contains(2)', type, numbers(EVALUATION_STEPS_MAX - 2)), 'too_many_steps')
})

test('a part of the work has a limit of its own, and is taken from the whole', (t) => {
  const whole = new Steps(10)
  const part = (max: number, count: number) => {
    whole.beginPart(max)
    whole.spend(count)
  }
  t.notThrows(() => part(6, 6))
  t.is(whole.left, 4)
  t.throws(() => part(2, 3), { instanceOf: EvaluationError })
  t.is(whole.left, 2, 'what was refused has not been done')
  t.throws(() => part(6, 3), { instanceOf: EvaluationError })
  t.is(whole.left, 0)
  whole.endPart()
  t.throws(() => whole.spend(1), { instanceOf: EvaluationError })
})

test('behind a part the whole counts again', (t) => {
  const whole = new Steps(10)
  whole.beginPart(3)
  whole.spend(3)
  whole.endPart()
  t.notThrows(() => whole.spend(7))
  t.is(whole.left, 0)
})

/** A map that counts how often somebody looks into it. */
class CountingMap extends Map<string, Value> {
  static looked = 0
  override get(name: string): Value | undefined {
    CountingMap.looked++
    return super.get(name)
  }
}

test('quadratic and cubic searches end at the limit, whatever the facts', (t) => {
  const items = struct('item', { n: int })
  const quadratic = struct('test', { items: list(items), d: dynamic })
  const many = Array.from({ length: 1_000 }, (_, i): Value => new CountingMap([['n', BigInt(i)]]))
  const manyFacts = new CountingMap([
    ['items', many],
    ['d', new CountingMap([['long', '9'.repeat(200_000)]])],
  ])
  const searches = [
    'items.any(a, items.any(b, a.n == b.n))',
    'items.all(a, items.all(b, items.all(c, a.n == b.n || b.n == c.n)))',
    'items.filter(a, items.filter(b, b.n != a.n).count() > 0).count() == 0',
    'items.any(a, d.long == d.long)',
    'items.any(a, d.long[0..200000] == d.long)',
    'items.any(a, items[0..1000].count() == a.n)',
  ]
  for (const text of searches) {
    CountingMap.looked = 0
    t.is(valueOf(text, quadratic, manyFacts), 'too_many_steps', text)
    t.true(CountingMap.looked <= EVALUATION_STEPS_MAX, `${CountingMap.looked} looks: ${text}`)
  }
})

const nobody = { approvers: [], credentials: [] }
const heavyRequest = {
  facts: () => [
    readFacts(keywords.condition, { wallets: Array.from({ length: 500 }, () => ({ id: 'a', label: 'b' })) }),
  ],
  votes: nobody,
  others: () => nobody,
  rootQuorum: { threshold: 1, userIds: ['root'] },
  rootQuorumOnly: false,
  nowMs: 0,
}
const heavy = "wallets.all(w, w.id == 'a' && w.label == 'b')"
const outcomes = (count: number) => {
  const policies = Array.from({ length: count }, (_, i) =>
    compilePolicy({ policyId: String(i), effect: 'EFFECT_ALLOW', condition: heavy }),
  )
  return decideOnActivity(policies, heavyRequest).evaluations.map(({ outcome }) => outcome)
}

test('a decision has a limit over all its policies: what is beyond it is an error', (t) => {
  const each = stepsOf(heavy, keywords.condition, heavyRequest.facts()[0] as never)
  const fit = Math.floor(DECISION_STEPS_MAX / each)
  t.true(fit > 10)
  t.deepEqual(new Set(outcomes(fit)), new Set(['OUTCOME_ALLOW']))
  t.deepEqual(outcomes(fit + 2), [...outcomes(fit), 'OUTCOME_ERROR', 'OUTCOME_ERROR'])
})

test('a DENY policy behind the limit denies', (t) => {
  const allow = Array.from({ length: 60 }, (_, i) =>
    compilePolicy({ policyId: String(i), effect: 'EFFECT_ALLOW', condition: heavy }),
  )
  const deny = compilePolicy({ policyId: 'deny', effect: 'EFFECT_DENY', condition: 'wallets.count() == 501' })
  t.is(decideOnActivity([deny, ...allow], heavyRequest).outcome, 'OUTCOME_ALLOW')
  t.is(decideOnActivity([...allow, deny], heavyRequest).outcome, 'OUTCOME_DENY_EXPLICIT')
})

test('the longest policies of every field are checked without an exception', (t) => {
  const long = `'a' in [${"'b',".repeat(2_000)}'c']`
  t.deepEqual(policyFaults({ condition: long, consensus: long, time: long }), [])
})

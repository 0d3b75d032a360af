/**
 * Random expressions, by the real evaluator and by a second, naive one. KEYSTEAD_TEST_EXPRESSIONS says how many, for
 * example 1000000 by hand.
 */
import test, { type ExecutionContext } from 'ava'
import { keywords, type PolicyField } from '../../../policies/facts/schema.ts'
import { readFacts } from '../../../policies/facts/read-facts.ts'
import { checkExpression } from '../../../policies/language/check.ts'
import { EvaluationError, ExpressionError } from '../../../policies/language/errors.ts'
import { evaluate } from '../../../policies/language/evaluate.ts'
import { EVALUATION_STEPS_MAX } from '../../../policies/language/limits.ts'
import { parseExpression } from '../../../policies/language/parser.ts'
import { Steps } from '../../../policies/language/steps.ts'
import { naive, NaiveError, type NaiveFacts } from '../../support/naive-policy.ts'
import { naiveFacts, RandomPolicies } from '../../support/random-policies.ts'
import { seedOfRun, SeededRandom } from '../../support/seeded-random.ts'

const COUNT = Number(process.env.KEYSTEAD_TEST_EXPRESSIONS ?? 20_000)
const fields = Object.keys(keywords) as PolicyField[]

type Result = boolean | 'refused' | 'error' | 'too many steps'

/** Any exception but the two that are meant fails the test by escaping. */
function real(text: string, field: PolicyField, facts: ReturnType<typeof readFacts>): Result {
  try {
    const node = parseExpression(text)
    checkExpression(node, keywords[field])
    return evaluate(node, facts, new Steps(EVALUATION_STEPS_MAX))
  } catch (error) {
    if (error instanceof ExpressionError) return 'refused'
    if (error instanceof EvaluationError) return error.code === 'too_many_steps' ? 'too many steps' : 'error'
    throw new Error(`neither refused nor evaluated: ${text}`, { cause: error })
  }
}

function naively(text: string, facts: NaiveFacts): Result {
  try {
    const value = naive(text, facts)
    return typeof value === 'boolean' ? value : 'error'
  } catch (error) {
    if (error instanceof NaiveError) return 'error'
    throw new Error(`the naive evaluator failed: ${text}`, { cause: error })
  }
}

function compareAll(
  t: ExecutionContext,
  next: (random: SeededRandom, policies: RandomPolicies, field: PolicyField) => string,
) {
  const seed = seedOfRun()
  t.log(`seed ${seed}, ${COUNT} expressions`)
  const random = new SeededRandom(seed)
  const policies = new RandomPolicies(random)
  const seen = new Map<Result, number>()
  const newFacts = () =>
    fields.map((field) => {
      const json = policies.facts(keywords[field], random.below(3) > 0)
      const read = readFacts(keywords[field], json)
      return { field, json, read, naive: naiveFacts(keywords[field], json) as NaiveFacts }
    })
  let sets = newFacts()
  for (let i = 0; i < COUNT; i++) {
    // New facts for every few expressions.
    if (i % 16 === 15) sets = newFacts()
    const facts = random.pick(sets)
    const text = next(random, policies, facts.field)
    const result = real(text, facts.field, facts.read)
    seen.set(result, (seen.get(result) ?? 0) + 1)
    if (result === 'refused' || result === 'too many steps') continue
    const expected = naively(text, facts.naive)
    if (result !== expected) {
      t.fail(`seed ${seed}: ${result}, but naively ${expected}: ${text}\n${JSON.stringify(facts.json)}`)
      return seen
    }
  }
  t.log(Object.fromEntries(seen))
  return seen
}

test('well-typed expressions are accepted, and both evaluators agree', (t) => {
  const seen = compareAll(t, (_, policies, field) => policies.expression(field))
  t.is(seen.get('refused'), undefined)
  for (const result of [true, false, 'error'] as const) t.true((seen.get(result) ?? 0) > COUNT / 20, String(result))
})

const soup = [
  ...['&&', '||', '==', '!=', '<', '>', '<=', '>=', 'in', '!', '(', ')', '[', ']', '.', '..', ',', '-', "'", '"', '\\'],
  ...[
    '0',
    '1',
    '01',
    '9'.repeat(80),
    "'a'",
    "'0xAb'",
    'true',
    'false',
    'x',
    'count()',
    '.count()',
    '.any(x, x)',
    '\u0000',
    '😀',
  ],
  ...[
    'approvers',
    'activity.type',
    'eth.eip_712.message',
    'time.now',
    "Timestamp('2026-01-01T00:00:00Z')",
    'CronSpan(',
  ],
]

test('damaged expressions are refused or evaluated, and both evaluators agree', (t) => {
  const seen = compareAll(t, (random, policies, field) => {
    if (random.below(4) === 0)
      return random.list(1 + random.below(12), () => random.pick(soup)).join(random.pick(['', ' ']))
    const pieces = policies.expression(field).split(/\b|(?=[^\w\s])/)
    for (let i = 0; i < 1 + random.below(3); i++) {
      const at = random.below(pieces.length)
      pieces.splice(at, random.below(2), ...(random.below(3) === 0 ? [] : [random.pick([...soup, ...pieces])]))
    }
    return pieces.join('')
  })
  t.true((seen.get('refused') ?? 0) > COUNT / 2)
})

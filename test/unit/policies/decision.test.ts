/** The decision over policy sets: a table, then random sets of which only what must be so is asked. */
import test from 'ava'
import { decideOnActivity, type DecisionRequest, type PolicyOutcome } from '../../../policies/decision.ts'
import { conditionFacts, voteFacts } from '../../../policies/facts/condition-facts.ts'
import { keywords } from '../../../policies/facts/schema.ts'
import { readFacts } from '../../../policies/facts/read-facts.ts'
import { compilePolicy, policyFaults, type Effect, type PolicyText } from '../../../policies/policy.ts'
import type { Struct } from '../../../policies/language/values.ts'
import type { JsonObject } from '../../../signer-core/protocol/strict-json.ts'
import { naive, NaiveError, type NaiveFacts } from '../../support/naive-policy.ts'
import { naiveFacts, NOW_MS, RandomPolicies } from '../../support/random-policies.ts'
import { seedOfRun, SeededRandom } from '../../support/seeded-random.ts'

const users = ['root1', 'root2', 'ann', 'bob', 'cid']
const userOf = (id: string): JsonObject => ({ id, tags: id.startsWith('root') ? [] : ['signer'], alias: id })
const rootQuorum = { threshold: 2, userIds: ['root1', 'root2'] }
const rawPayload = {
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: { hashFunction: 'HASH_FUNCTION_NO_OP', encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' },
}
const transaction = {
  type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  parameters: { type: 'TRANSACTION_TYPE_ETHEREUM' },
  payloads: { eth: { tx: { to: '0xab', value: '5' } } },
}

function requestOf(voters: string[], facts: Struct[] = conditionFacts(transaction)): DecisionRequest {
  const others = users.filter((id) => !voters.includes(id))
  return {
    facts: () => facts,
    votes: voteFacts(voters.map(userOf), []),
    others: () => voteFacts(others.map(userOf), []),
    rootQuorum,
    rootQuorumOnly: false,
    nowMs: Date.parse('2026-03-02T10:00:00Z'),
  }
}

type Texts = Omit<PolicyText, 'policyId' | 'effect'>
const allow = (texts: Texts): PolicyText => ({ policyId: 'allow', effect: 'EFFECT_ALLOW', ...texts })
const deny = (texts: Texts): PolicyText => ({ policyId: 'deny', effect: 'EFFECT_DENY', ...texts })

function decide(policies: PolicyText[], request: DecisionRequest): string {
  const { outcome, evaluations } = decideOnActivity(policies.map(compilePolicy), request)
  return [outcome, ...evaluations.map((each) => each.outcome)].map((each) => each.replace('OUTCOME_', '')).join(' ')
}

const yes = "eth.tx.to == '0xAB'"
const no = "eth.tx.to == '0xac'"
const missing = "wallet.id == 'w'"
const isAnn = "approvers.any(u, u.id == 'ann')"
const isBob = "approvers.any(u, u.id == 'bob')"
const inTime = "CronSpan('0 9 * * 1-5', '8h', 'UTC')"
const tooLate = "time.now < Timestamp('2026-01-01T00:00:00Z')"

/** Policies, voters, then the decision and the outcome of each policy. */
const table: [string, PolicyText[], string[], string][] = [
  ['nothing is allowed by default', [], ['ann'], 'DENY_IMPLICIT'],
  ['absent expressions hold', [allow({})], ['ann'], 'ALLOW ALLOW'],
  ['empty expressions hold', [allow({ condition: '', consensus: ' ', time: '\n' })], ['ann'], 'ALLOW ALLOW'],
  ['a matching ALLOW allows', [allow({ condition: yes, consensus: isAnn, time: inTime })], ['ann'], 'ALLOW ALLOW'],
  ['a condition that does not hold', [allow({ condition: no })], ['ann'], 'DENY_IMPLICIT DENY_IMPLICIT'],
  ['a consensus of others', [allow({ consensus: isBob })], ['ann'], 'DENY_IMPLICIT DENY_IMPLICIT'],
  ['a DENY wins over an ALLOW', [allow({}), deny({ condition: yes })], ['ann'], 'DENY_EXPLICIT ALLOW DENY_EXPLICIT'],
  ['in either order', [deny({ condition: yes }), allow({})], ['ann'], 'DENY_EXPLICIT DENY_EXPLICIT ALLOW'],
  ['a DENY by consensus', [allow({}), deny({ consensus: isAnn })], ['ann'], 'DENY_EXPLICIT ALLOW DENY_EXPLICIT'],
  ['a DENY that does not match', [allow({}), deny({ condition: no })], ['ann'], 'ALLOW ALLOW DENY_IMPLICIT'],
  ['a DENY does not wait for votes', [allow({}), deny({ consensus: isBob })], ['ann'], 'ALLOW ALLOW DENY_IMPLICIT'],
  ['an ALLOW that errs never allows', [allow({ condition: `${yes} || ${missing}` })], ['ann'], 'DENY_IMPLICIT ERROR'],
  [
    'an error in the consensus',
    [allow({ consensus: "approvers.any(u, u.email == 'e')" })],
    ['ann'],
    'DENY_IMPLICIT ERROR',
  ],
  [
    'an error where the other field says no',
    [allow({ condition: no, consensus: "approvers.any(u, u.email == 'e')" })],
    ['ann'],
    'DENY_IMPLICIT ERROR',
  ],
  ['an error in one does not stop another', [allow({ condition: missing }), allow({})], ['ann'], 'ALLOW ERROR ALLOW'],
  ['a DENY that errs denies', [allow({}), deny({ condition: missing })], ['ann'], 'DENY_EXPLICIT ALLOW ERROR'],
  [
    'a DENY that errs beside a clause that holds',
    [allow({}), deny({ condition: `${yes} && ${missing}` })],
    ['ann'],
    'DENY_EXPLICIT ALLOW ERROR',
  ],
  [
    'a DENY that errs beside one of two that hold',
    [allow({}), deny({ condition: `${no} || ${missing}` })],
    ['ann'],
    'DENY_EXPLICIT ALLOW ERROR',
  ],
  [
    'a DENY that errs, but cannot match',
    [allow({}), deny({ condition: `${no} && ${missing}` })],
    ['ann'],
    'ALLOW ALLOW ERROR',
  ],
  [
    'the same in parentheses',
    [allow({}), deny({ condition: `(${no} && ${missing}) || (${missing} && ${no})` })],
    ['ann'],
    'ALLOW ALLOW ERROR',
  ],
  [
    'only one side of || cannot match',
    [allow({}), deny({ condition: `(${no} && ${missing}) || ${missing}` })],
    ['ann'],
    'DENY_EXPLICIT ALLOW ERROR',
  ],
  [
    'what is negated is not looked into',
    [allow({}), deny({ condition: `!(${yes} || ${missing})` })],
    ['ann'],
    'DENY_EXPLICIT ALLOW ERROR',
  ],
  [
    'a DENY that errs for other users',
    [allow({}), deny({ condition: missing, consensus: isBob })],
    ['ann'],
    'ALLOW ALLOW ERROR',
  ],
  ['an inactive ALLOW', [allow({ time: tooLate })], ['ann'], 'DENY_IMPLICIT TIME_INACTIVE'],
  ['an inactive DENY', [allow({}), deny({ time: tooLate })], ['ann'], 'ALLOW ALLOW TIME_INACTIVE'],
  [
    'an inactive DENY that would err',
    [allow({}), deny({ time: tooLate, condition: missing })],
    ['ann'],
    'ALLOW ALLOW TIME_INACTIVE',
  ],
  ['an active DENY', [allow({}), deny({ time: inTime })], ['ann'], 'DENY_EXPLICIT ALLOW DENY_EXPLICIT'],
  [
    'a text that cannot be read never allows',
    [allow({ condition: 'eth.tx.too == 1' })],
    ['ann'],
    'DENY_IMPLICIT ERROR',
  ],
  [
    'a text that cannot be read denies',
    [allow({}), deny({ condition: 'eth.tx.to ==' })],
    ['ann'],
    'DENY_EXPLICIT ALLOW ERROR',
  ],
  [
    'two of two are waited for',
    [allow({ consensus: `${isAnn} && ${isBob}` })],
    ['ann'],
    'REQUIRES_CONSENSUS REQUIRES_CONSENSUS',
  ],
  ['and are enough', [allow({ consensus: `${isAnn} && ${isBob}` })], ['ann', 'bob'], 'ALLOW ALLOW'],
  ['not for a stranger', [allow({ consensus: `${isAnn} && ${isBob}` })], ['cid'], 'DENY_IMPLICIT DENY_IMPLICIT'],
  [
    'not where the condition fails',
    [allow({ condition: no, consensus: `${isAnn} && ${isBob}` })],
    ['ann'],
    'DENY_IMPLICIT DENY_IMPLICIT',
  ],
  [
    'not where the condition errs',
    [allow({ condition: missing, consensus: `${isAnn} && ${isBob}` })],
    ['ann'],
    'DENY_IMPLICIT ERROR',
  ],
  [
    'not where a DENY matches',
    [allow({ consensus: `${isAnn} && ${isBob}` }), deny({})],
    ['ann'],
    'DENY_EXPLICIT REQUIRES_CONSENSUS DENY_EXPLICIT',
  ],
  [
    'not where another ALLOW matches',
    [allow({ consensus: `${isAnn} && ${isBob}` }), allow({})],
    ['ann'],
    'ALLOW REQUIRES_CONSENSUS ALLOW',
  ],
  ['the root quorum is enough', [], ['root1', 'root2'], 'ALLOW'],
  ['and does not ask policies', [deny({})], ['ann', 'root1', 'root2'], 'ALLOW'],
  ['half of the root quorum waits', [], ['root1'], 'REQUIRES_CONSENSUS'],
  ['whoever joined', [], ['ann', 'root1'], 'REQUIRES_CONSENSUS'],
  ['no DENY locks the root quorum out', [allow({}), deny({})], ['root1'], 'REQUIRES_CONSENSUS ALLOW DENY_EXPLICIT'],
  ['half of the root quorum may be allowed', [allow({})], ['root1'], 'ALLOW ALLOW'],
]
for (const [name, policies, voters, expected] of table) {
  test(`${name}: ${expected.split(' ')[0]}`, (t) => t.is(decide(policies, requestOf(voters)), expected))
}

test('what only the root quorum may do, policies cannot allow', (t) => {
  const only = (voters: string[]) => decide([allow({})], { ...requestOf(voters), rootQuorumOnly: true })
  t.is(only(['ann']), 'DENY_IMPLICIT')
  t.is(only(['ann', 'root1']), 'REQUIRES_CONSENSUS')
  t.is(only(['root1', 'root2']), 'ALLOW')
})

test('one user votes once', (t) => {
  t.is(decide([], requestOf(['root1', 'root1'])), 'REQUIRES_CONSENSUS')
  const doubled = { threshold: 2, userIds: ['root1', 'root1'] }
  t.is(decide([], { ...requestOf(['root1']), rootQuorum: doubled }), 'REQUIRES_CONSENSUS')
  const two = allow({ consensus: 'approvers.count() >= 2' })
  t.is(decide([two], requestOf(['ann', 'ann'])), 'REQUIRES_CONSENSUS REQUIRES_CONSENSUS')
  t.is(decide([two], requestOf(['ann', 'bob', 'ann'])), 'ALLOW ALLOW')
  const first = allow({ consensus: "approvers[0].id == 'bob' && approvers[1].id == 'ann'" })
  t.is(decide([first], requestOf(['bob', 'ann', 'bob'])), 'ALLOW ALLOW')
})

test('a root quorum of nobody is never reached', (t) => {
  const nobody = { ...requestOf(['ann']), rootQuorum: { threshold: 0, userIds: [] } }
  t.is(decide([], nobody), 'DENY_IMPLICIT')
})

test('an effect that nobody knows denies', (t) => {
  const unknown = { ...deny({}), effect: 'EFFECT_PERMIT' as Effect }
  t.is(decide([allow({}), unknown], requestOf(['ann'])), 'DENY_EXPLICIT ALLOW DENY_EXPLICIT')
})

test('the usual guard against raw digests leaves everything else alone', (t) => {
  const guard = deny({
    condition: [
      "activity.kind == 'SIGN_RAW_PAYLOAD'",
      "activity.params.hash_function == 'HASH_FUNCTION_NO_OP'",
      "activity.params.encoding != 'PAYLOAD_ENCODING_EIP712'",
    ].join(' && '),
  })
  t.is(decide([allow({}), guard], requestOf(['ann'], conditionFacts(rawPayload))), 'DENY_EXPLICIT ALLOW DENY_EXPLICIT')
  // A transaction has no hash_function: an error, but the first clause has said no.
  t.is(decide([allow({}), guard], requestOf(['ann'])), 'ALLOW ALLOW ERROR')
})

test('of several payloads each must be allowed', (t) => {
  const payload = (to: string) => ({ eth: { eip_7702_authorization: { address: to, chain_id: '1', nonce: '0' } } })
  const facts = (...to: string[]) => conditionFacts({ ...rawPayload, payloads: { payloads: to.map(payload) } })
  const good = allow({ condition: "eth.eip_7702_authorization.address == '0xaa'" })
  const bad = deny({ condition: "eth.eip_7702_authorization.address == '0xbb'" })
  const waits = allow({ condition: "eth.eip_7702_authorization.address == '0xcc'", consensus: `${isAnn} && ${isBob}` })
  const outcome = (...to: string[]) => decide([good, bad, waits], requestOf(['ann'], facts(...to))).split(' ')[0]
  t.is(outcome('0xaa'), 'ALLOW')
  t.is(outcome('0xaa', '0xaa'), 'ALLOW')
  t.is(outcome('0xaa', '0xdd'), 'DENY_IMPLICIT')
  t.is(outcome('0xdd', '0xaa'), 'DENY_IMPLICIT')
  t.is(outcome('0xaa', '0xcc'), 'REQUIRES_CONSENSUS')
  t.is(outcome('0xcc', '0xdd', '0xaa'), 'DENY_IMPLICIT')
  t.is(outcome('0xaa', '0xcc', '0xbb', '0xdd'), 'DENY_EXPLICIT')
})

test('faults tell field, line and column', (t) => {
  t.deepEqual(policyFaults({ condition: yes, consensus: isAnn, time: inTime }), [])
  t.deepEqual(policyFaults({}), [])
  t.deepEqual(
    policyFaults({ condition: "eth.tx.to == '0xab' &&\n  eth.tx.vallue > 5", consensus: 'approvers.count() = 2' }).map(
      ({ field, line, column, message }) => `${field} ${line}:${column} ${message.slice(0, 14)}`,
    ),
    ['condition 2:9 no such field:', 'consensus 1:19 a character th'],
  )
})

test('3,000 random policy sets: DENY always wins, and nothing is allowed without an ALLOW that matches', (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const policies = new RandomPolicies(random)
  const fields = ['condition', 'consensus', 'time'] as const
  const seen = new Map<PolicyOutcome, number>()
  for (let i = 0; i < 3_000; i++) {
    const whole = random.below(3) > 0
    const condition = policies.facts(keywords.condition, whole)
    const voters = random.list(1 + random.below(2), () => random.pick(users))
    const votes = [...new Set(voters)].map((id) => ({ ...userOf(id), email: 'a' }))
    const facts = { condition, consensus: { approvers: votes, credentials: [] }, time: { time: { now: NOW_MS } } }
    const set = random.list(1 + random.below(6), (j): PolicyText => {
      const expressions = fields.map((field) => [field, random.below(3) === 0 ? policies.expression(field, 2) : ''])
      const effect: Effect = random.below(4) === 0 ? 'EFFECT_DENY' : 'EFFECT_ALLOW'
      return { policyId: String(j), effect, ...Object.fromEntries(expressions) }
    })
    const holds = (policy: PolicyText, field: (typeof fields)[number]): boolean | undefined => {
      try {
        const text = policy[field] ?? ''
        const value = text === '' || naive(text, naiveFacts(keywords[field], facts[field]) as NaiveFacts)
        return typeof value === 'boolean' ? value : undefined
      } catch (error) {
        if (error instanceof NaiveError) return undefined
        throw error
      }
    }
    const judged = set.map((policy) => ({ ...policy, holds: fields.map((field) => holds(policy, field)) }))
    const matches = (effect: Effect) =>
      judged.some((each) => each.effect === effect && each.holds.every((held) => held === true))
    const mayDeny = judged.some(
      (each) =>
        each.effect === 'EFFECT_DENY' && each.holds.every((held) => held !== false) && each.holds.includes(undefined),
    )

    const request = {
      ...requestOf([]),
      facts: () => [readFacts(keywords.condition, condition)],
      votes: voteFacts(votes, []),
      nowMs: NOW_MS,
    }
    const { outcome, evaluations } = decideOnActivity(set.map(compilePolicy), request)
    const roots = rootQuorum.userIds.filter((id) => voters.includes(id)).length
    const why = `seed ${seed}: ${JSON.stringify({ set, voters, outcome })}`
    if (roots === 2) {
      if (outcome !== 'OUTCOME_ALLOW') return t.fail(why)
      continue
    }
    const refused = roots > 0 ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_EXPLICIT'
    if (matches('EFFECT_DENY') && outcome !== refused) return t.fail(why)
    if (outcome === 'OUTCOME_ALLOW' && (!matches('EFFECT_ALLOW') || matches('EFFECT_DENY'))) return t.fail(why)
    // A DENY of which some field errs and no field says no as a whole: only clauses inside can have ruled it out.
    if (!mayDeny && matches('EFFECT_ALLOW') && !matches('EFFECT_DENY') && outcome !== 'OUTCOME_ALLOW')
      return t.fail(why)
    for (const each of evaluations) seen.set(each.outcome, (seen.get(each.outcome) ?? 0) + 1)
  }
  t.log(Object.fromEntries(seen))
  t.is(seen.size, 6)
})

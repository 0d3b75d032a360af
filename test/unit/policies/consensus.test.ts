/** What a consensus may become: a table of usual ones, and random ones against every set of further votes. */
import test from 'ava'
import { consensusOutlook, type Votes } from '../../../policies/consensus.ts'
import { voteFacts } from '../../../policies/facts/condition-facts.ts'
import { keywords } from '../../../policies/facts/schema.ts'
import { checkExpression } from '../../../policies/language/check.ts'
import { EvaluationError } from '../../../policies/language/errors.ts'
import { evaluate } from '../../../policies/language/evaluate.ts'
import { DECISION_STEPS_MAX } from '../../../policies/language/limits.ts'
import { parseExpression } from '../../../policies/language/parser.ts'
import { Steps } from '../../../policies/language/steps.ts'
import type { Node } from '../../../policies/language/syntax.ts'
import type { Struct } from '../../../policies/language/values.ts'
import type { JsonObject } from '../../../signer-core/protocol/strict-json.ts'
import { RandomPolicies } from '../../support/random-policies.ts'
import { seedOfRun, SeededRandom } from '../../support/seeded-random.ts'

const steps = () => new Steps(DECISION_STEPS_MAX)

function compiled(text: string): Node {
  const node = parseExpression(text)
  checkExpression(node, keywords.consensus)
  return node
}

/** Ann and Bob sign, Cid and Dan watch; Eve has no e-mail address and a passkey. */
const people: Record<string, JsonObject> = {
  ann: { id: 'ann', tags: ['signer'], email: 'ann@x', alias: 'Ann' },
  bob: { id: 'bob', tags: ['signer'], email: 'bob@x', alias: 'Bob' },
  cid: { id: 'cid', tags: ['watcher'], email: 'cid@x', alias: 'Cid' },
  eve: { id: 'eve', tags: ['signer', 'lead'], alias: 'Eve' },
}
const credentialOf = (id: string): JsonObject => ({
  id: `key-${id}`,
  user_id: id,
  type: id === 'eve' ? 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR' : 'CREDENTIAL_TYPE_API_KEY_P256',
  public_key: id,
})
const votesOf = (ids: string[]): Votes =>
  voteFacts(
    ids.map((id) => people[id] as JsonObject),
    ids.map(credentialOf),
  )

function outlook(text: string, voters: string[], others = Object.keys(people).filter((id) => !voters.includes(id))) {
  const { canHold, votesCount } = consensusOutlook(
    compiled(text),
    votesOf(voters),
    votesOf(others),
    new Set(voters),
    steps(),
  )
  return `${canHold ? 'can' : 'cannot'}, ${votesCount ? 'counts' : 'does not count'}`
}

const isAnn = "approvers.any(u, u.id == 'ann')"
const isBob = "approvers.any(u, u.id == 'bob')"
const signers = "approvers.filter(u, u.tags.contains('signer'))"
const passkey = "c.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'"

/** Consensus, voters, whether it can hold and whether a vote counts towards it. */
const table: [string, string[], string][] = [
  [isAnn, ['ann'], 'can, counts'],
  [isAnn, ['bob'], 'can, does not count'],
  [`${isAnn} && ${isBob}`, ['ann'], 'can, counts'],
  [`${isAnn} && ${isBob}`, ['cid'], 'can, does not count'],
  [`${isAnn} || ${isBob}`, ['bob'], 'can, counts'],
  [`${isAnn} && !(${isBob})`, ['bob'], 'cannot, counts'],
  [`!(${isAnn})`, ['ann'], 'cannot, counts'],
  [`!(${isAnn})`, ['bob'], 'can, does not count'],
  [`${signers}.count() >= 2`, ['ann'], 'can, counts'],
  [`${signers}.count() >= 2`, ['cid'], 'can, does not count'],
  [`${signers}.count() >= 2`, ['cid', 'ann'], 'can, counts'],
  [`${signers}.count() >= 3`, ['ann'], 'can, counts'],
  [`${signers}.count() >= 4`, ['ann'], 'cannot, counts'],
  [`${signers}.count() > 3`, ['ann'], 'cannot, counts'],
  [`4 <= ${signers}.count()`, ['ann'], 'cannot, counts'],
  [`${signers}.count() == 2`, ['ann'], 'can, counts'],
  [`${signers}.count() == 1`, ['ann', 'bob'], 'cannot, counts'],
  [`${signers}.count() < 2`, ['ann', 'bob'], 'cannot, counts'],
  [`${signers}.count() <= 1`, ['ann', 'bob'], 'cannot, counts'],
  [`${signers}.count() != 1`, ['ann'], 'can, counts'],
  [`${signers}.count() in [2, 3]`, ['ann'], 'can, counts'],
  ['approvers.count() >= 2', ['cid'], 'can, counts'],
  ['approvers.count() >= 5', ['cid'], 'cannot, counts'],
  ['approvers.count() == approvers.count()', ['cid'], 'can, counts'],
  ["approvers.all(u, u.tags.contains('signer')) && approvers.count() == 2", ['ann'], 'can, counts'],
  ["approvers.all(u, u.tags.contains('signer')) && approvers.count() == 2", ['cid'], 'cannot, counts'],
  ["approvers[0].id == 'bob'", ['ann'], 'can, counts'],
  ["approvers[1..2].any(u, u.id == 'bob')", ['ann'], 'can, counts'],
  // Eve has no e-mail address: if she votes, this is an error, so she had better not.
  ["approvers.any(u, u.email == 'eve@x')", ['ann'], 'cannot, does not count'],
  ["approvers.any(u, u.email == 'bob@x') && approvers.count() >= 2", ['ann'], 'can, counts'],
  [`credentials.any(c, ${passkey})`, ['ann'], 'can, does not count'],
  [`credentials.any(c, ${passkey})`, ['eve'], 'can, counts'],
  [`credentials.all(c, ${passkey})`, ['ann'], 'cannot, does not count'],
  [
    `approvers.any(u, u.tags.contains('lead') && credentials.any(c, c.user_id == u.id && ${passkey}))`,
    ['ann'],
    'can, does not count',
  ],
  [`approvers.all(u, credentials.any(c, c.user_id == u.id)) && ${isBob}`, ['ann'], 'can, counts'],
  ['true', ['ann'], 'can, does not count'],
  ['1 in [1, 2] && [1, 2][0..1].count() == 1', ['ann'], 'can, does not count'],
  ['false', ['ann'], 'cannot, does not count'],
]
for (const [text, voters, expected] of table) {
  test(`${voters.join(' and ')}: ${text}`, (t) => t.is(outlook(text, voters), expected))
}

test('nobody else can vote: only what holds now can hold', (t) => {
  t.is(outlook(`${isAnn} && ${isBob}`, ['ann'], []), 'cannot, counts')
  t.is(outlook(isAnn, ['ann'], []), 'can, counts')
})

test('only the votes that are asked after count', (t) => {
  const { votesCount } = consensusOutlook(
    compiled(isAnn),
    votesOf(['ann', 'bob']),
    votesOf([]),
    new Set(['bob']),
    steps(),
  )
  t.false(votesCount)
})

test('it has a limit of work', (t) => {
  const node = compiled('approvers.any(a, approvers.any(b, approvers.any(c, a.id == b.id && b.id == c.id)))')
  const many = Array.from({ length: 100 }, (_, i): JsonObject => ({ id: String(i), tags: [] }))
  const [ann, others] = [votesOf(['ann']), voteFacts(many, [])]
  t.throws(() => consensusOutlook(node, ann, others, new Set(), steps()), { message: 'too_many_steps' })
})

function holds(node: Node, { approvers, credentials }: Votes): boolean | undefined {
  const facts: Struct = new Map([
    ['approvers', [...approvers]],
    ['credentials', [...credentials]],
  ])
  try {
    return evaluate(node, facts, steps())
  } catch (error) {
    if (error instanceof EvaluationError) return undefined
    throw error
  }
}

function together(a: Votes, b: Votes): Votes {
  return { approvers: [...a.approvers, ...b.approvers], credentials: [...a.credentials, ...b.credentials] }
}

test('4,000 random consensus: what some set of votes makes hold is never said to be impossible', (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const policies = new RandomPolicies(random)
  let [possible, impossible] = [0, 0]
  for (let i = 0; i < 4_000; i++) {
    const users = random.list(5, (id): [JsonObject, JsonObject] => {
      const user = { tags: [], ...policyUser(policies), id: String(id) }
      return [user, { ...credentialOf(String(id)), type: random.pick(['a', 'SIGN']) }]
    })
    const votes = random.list(1 + random.below(2), (j) => users[j] as [JsonObject, JsonObject])
    const others = users.slice(votes.length)
    const read = (pairs: [JsonObject, JsonObject][]) =>
      voteFacts(
        pairs.map(([user]) => user),
        pairs.map(([, credential]) => credential),
      )
    const text = policies.expression('consensus')
    const node = compiled(text)
    const now = holds(node, read(votes))
    // Then the policy is an error, and nobody asks what may become of it.
    if (now === undefined) continue
    const { canHold } = consensusOutlook(node, read(votes), read(others), new Set(), steps())
    const some = Array.from({ length: 2 ** others.length }, (_, set) => others.filter((__, j) => (set >> j) % 2 === 1))
    const reachable = some.some((set) => holds(node, together(read(votes), read(set))) === true)
    if (reachable && !canHold) return t.fail(`seed ${seed}: ${text} ${JSON.stringify([votes, others])}`)
    if (canHold) possible++
    else impossible++
  }
  t.true(possible > 500 && impossible > 200, `${possible} possible, ${impossible} not`)
})

function policyUser(policies: RandomPolicies): JsonObject {
  const { approvers } = keywords.consensus.fields
  if (approvers?.kind !== 'list') throw new Error('approvers are a list')
  return policies.facts(approvers.item, false) as JsonObject
}

/** Approvals and rejections through the built gate. */
import { randomUUID } from 'node:crypto'
import test from 'ava'
import { refusalOf, type GateOutcome, type GateRequest, type KeyRecord } from '../support/component.ts'
import { Team, type Member } from '../support/team.ts'

const dataKey = new Uint8Array(32).fill(13)
const DAY_MS = 86_400_000n

interface Waiting {
  team: Team
  key: KeyRecord
  /** The three whom the policy asks, and one whom it does not. */
  a: Member
  b: Member
  c: Member
  stranger: Member
  /** Submitted by `a`. */
  target: GateRequest
  waiting: GateOutcome
}

/** Two of three named users, and `a` has submitted. */
async function twoOfThree(): Promise<Waiting> {
  const team = await Team.open(dataKey)
  const { key } = team.bench.create('CURVE_SECP256K1')
  const [a, b, c, stranger] = ['a', 'b', 'c', 'stranger'].map((name) => team.join(name)) as [
    Member,
    Member,
    Member,
    Member,
  ]
  const ids = [a, b, c].map(({ userId }) => `'${userId}'`).join(', ')
  team.policy('ALLOW', {
    condition: "activity.resource == 'PRIVATE_KEY'",
    consensus: `approvers.filter(user, user.id in [${ids}]).count() >= 2`,
  })
  const target = team.signing(key, a)
  return { team, key, a, b, c, stranger, target, waiting: team.perform(target) }
}

const textOf = ({ evaluation }: GateOutcome) => JSON.parse(evaluation.text) as { outcome: string; voterIds: string[] }
const codeOf = ({ team }: Waiting, request: GateRequest) => refusalOf(() => team.perform(request)).code

test('one approval too few waits: nothing is done, and the evaluation says whose voices count', async (t) => {
  const { team, a, b, c, waiting } = await twoOfThree()
  t.is(waiting.status, 'CONSENSUS_NEEDED')
  t.is(waiting.result, '{}')
  t.is(waiting.changes, '[]')
  t.like(JSON.parse(waiting.receipt.text), { outcome: 'CONSENSUS_NEEDED' })
  const root = team.bench.record.rootQuorum.userIds
  t.like(textOf(waiting), { outcome: 'OUTCOME_REQUIRES_CONSENSUS' })
  t.deepEqual(textOf(waiting).voterIds.toSorted(), [...root, a.userId, b.userId, c.userId].toSorted())
})

test('the second approval completes, with the evaluation that was stored', async (t) => {
  const { team, b, target, waiting, key } = await twoOfThree()
  const vote = team.vote(target, b)
  const cast = team.perform(team.voting(vote, target, waiting))
  t.is(cast.status, 'COMPLETED')
  t.like(textOf(cast), {
    outcome: 'OUTCOME_ALLOW',
    activityId: vote.activityId,
    targetId: target.activityId,
    voteIds: [vote.activityId],
  })
  const done = team.perform(team.again(target, waiting, [vote]))
  t.is(done.status, 'COMPLETED')
  const root = { userId: '', publicKey: team.bench.request('', {}).stampPublicKey }
  t.is(done.result, team.perform(team.signing(key, root)).result, 'the same signature as by the root user')
  t.like(JSON.parse(done.evaluation.text), { outcome: 'OUTCOME_ALLOW', voteIds: [vote.activityId] })
})

test('the root user’s approval is the quorum', async (t) => {
  const { team, target, waiting } = await twoOfThree()
  const root = { userId: '', publicKey: team.bench.request('', {}).stampPublicKey }
  t.is(team.perform(team.again(target, waiting, [team.vote(target, root)])).status, 'COMPLETED')
})

test('three of three takes both votes, and the first is not enough', async (t) => {
  const { team, b, c, target, waiting } = await twoOfThree()
  const policy = team.bench.record.policies[0]
  const policyConsensus = policy?.consensus.replace('>= 2', '>= 3')
  team.bench.change('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId: policy?.policyId, policyConsensus })
  const [first, second] = [team.vote(target, b), team.vote(target, c)]
  const still = team.perform(team.again(target, waiting, [first]))
  t.is(still.status, 'CONSENSUS_NEEDED')
  const cast = team.perform(team.voting(second, target, waiting, [first]))
  t.like(textOf(cast), { outcome: 'OUTCOME_ALLOW', voteIds: [first.activityId, second.activityId] })
  t.is(team.perform(team.again(target, waiting, [first, second])).status, 'COMPLETED')
})

test('whoever could approve ends it by rejecting, having approved or not; others do not', async (t) => {
  const { team, a, b, c, stranger, target, waiting } = await twoOfThree()
  const rejected = (...votes: GateRequest['votes']) => team.perform(team.again(target, waiting, votes))
  const no = rejected(team.vote(target, c, 'REJECT'))
  t.is(no.status, 'REJECTED')
  t.is(no.result, '{}')
  t.like(textOf(no), { outcome: 'OUTCOME_REJECTED' })
  t.is(
    rejected(team.vote(target, b), team.vote(target, c, 'REJECT')).status,
    'REJECTED',
    'even beside enough approvals',
  )
  t.is(rejected(team.vote(target, b), team.vote(target, b, 'REJECT')).status, 'REJECTED')
  t.is(rejected(team.vote(target, a, 'REJECT')).status, 'REJECTED', 'the submitter takes it back')
  t.is(rejected(team.vote(target, stranger, 'REJECT')).status, 'CONSENSUS_NEEDED')
  t.is(rejected(team.vote(target, stranger, 'REJECT'), team.vote(target, b)).status, 'COMPLETED')
  const cast = team.perform(team.voting(team.vote(target, a, 'REJECT'), target, waiting))
  t.like(textOf(cast), { outcome: 'OUTCOME_REJECTED', targetId: target.activityId })
})

test('a vote is refused for whom nothing asks, twice, too late, or about nothing', async (t) => {
  const all = await twoOfThree()
  const { team, a, b, stranger, target, waiting } = all
  const cast = (vote: GateRequest['votes'][number], votes: GateRequest['votes'] = []) =>
    codeOf(all, team.voting(vote, target, waiting, votes))
  t.is(cast(team.vote(target, stranger)), 'VOTE_NOT_AUTHORIZED')
  t.is(cast(team.vote(target, stranger, 'REJECT')), 'VOTE_NOT_AUTHORIZED')
  t.is(cast(team.vote(target, a)), 'VOTED_ALREADY')
  t.is(cast(team.vote(target, b), [team.vote(target, b)]), 'VOTED_ALREADY')
  t.is(cast(team.vote(target, b, 'APPROVE', 1_700_000_000_000n - DAY_MS)), 'VOTE_LAPSED')
  t.is(cast(team.vote(target, b, 'APPROVE', 1_700_000_300_001n)), 'VOTE_LAPSED')
  t.notThrows(() =>
    team.perform(team.voting(team.vote(target, b, 'APPROVE', 1_700_000_000_001n - DAY_MS), target, waiting)),
  )
  t.is(codeOf(all, { ...team.voting(team.vote(target, b), target, waiting), target: undefined }), 'ACTIVITY_NOT_FOUND')
})

test('a vote on what does not wait is refused', async (t) => {
  const all = await twoOfThree()
  const { team, b, key, a, target, waiting } = all
  const other = team.signing(key, a, 'other')
  const otherWaiting = team.perform(other)
  t.is(codeOf(all, team.voting(team.vote(other, b), target, waiting)), 'VOTE_REFUSED')
  t.is(codeOf(all, team.voting(team.vote(target, b), target, otherWaiting)), 'SIGNER_REQUEST_MISMATCH')
  const done = team.perform(team.again(target, waiting, [team.vote(target, b)]))
  t.is(codeOf(all, team.voting(team.vote(target, b), target, done)), 'VOTE_REFUSED', 'it is done')
  const vote = team.vote(target, b)
  t.is(codeOf(all, team.voting(vote, { ...team.bench.request('', {}), ...vote }, waiting)), 'VOTE_REFUSED')
})

test('votes become void: lapsed, revoked, expired, gone; the activity goes on waiting', async (t) => {
  const { team, b, target, waiting } = await twoOfThree()
  const vote = team.vote(target, b)
  const request = () => team.again(target, waiting, [vote])
  t.is(team.perform(request()).status, 'COMPLETED')
  const later = { ...request(), nowMs: 1_700_000_000_000n + DAY_MS }
  t.is(team.perform(later).status, 'CONSENSUS_NEEDED')
  t.is(team.perform({ ...later, nowMs: later.nowMs - 1n }).status, 'COMPLETED')
  team.bench.change('ACTIVITY_TYPE_DELETE_USERS', { userIds: [b.userId] })
  t.is(team.perform(request()).status, 'CONSENSUS_NEEDED')
})

test('one voice per user: the submitter’s own and a second one count nothing', async (t) => {
  const { team, a, b, target, waiting } = await twoOfThree()
  t.is(team.perform(team.again(target, waiting, [team.vote(target, a)])).status, 'CONSENSUS_NEEDED')
  const policy = team.bench.record.policies[0]
  const policyConsensus = policy?.consensus.replace('>= 2', '>= 3')
  team.bench.change('ACTIVITY_TYPE_UPDATE_POLICY_V2', { policyId: policy?.policyId, policyConsensus })
  const twice = [team.vote(target, b), team.vote(target, b, 'APPROVE', 1_700_000_000_001n)]
  t.is(team.perform(team.again(target, waiting, twice)).status, 'CONSENSUS_NEEDED')
})

test('votes that never were any on this activity are refused', async (t) => {
  const all = await twoOfThree()
  const { team, a, b, key, target, waiting } = all
  const withVote = (...votes: GateRequest['votes']) => codeOf(all, team.again(target, waiting, votes))
  const genuine = team.vote(target, b)
  t.is(withVote(team.vote(team.signing(key, a, 'other'), b)), 'VOTE_REFUSED')
  t.is(withVote(team.signing(key, b)), 'VOTE_REFUSED', 'an activity of the voter')
  t.is(withVote({ ...genuine, body: genuine.body.replace(team.bench.organizationId, randomUUID()) }), 'VOTE_REFUSED')
  t.is(withVote({ ...genuine, body: '{' }), 'VOTE_REFUSED')
  t.is(codeOf(all, { ...team.again(target, waiting, [genuine]), evaluation: undefined }), 'SIGNER_REQUEST_MISMATCH')
})

test('what was evaluated is what is executed, and the organization cannot go back meanwhile', async (t) => {
  const all = await twoOfThree()
  const { team, a, b, key, target, waiting } = all
  const votes = [team.vote(target, b)]
  const request = team.again(target, waiting, votes)
  const other = team.perform(team.signing(key, a, 'other'))
  t.is(codeOf(all, { ...request, evaluation: other.evaluation }), 'SIGNER_REQUEST_MISMATCH')
  t.is(codeOf(all, { ...request, activityId: randomUUID() }), 'SIGNER_REQUEST_MISMATCH')
  const before = { organization: team.bench.organization, organizationDigest: request.organizationDigest }
  team.bench.change('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: 'Later' })
  const since = team.perform(team.again(target, waiting, []))
  t.is(since.status, 'CONSENSUS_NEEDED')
  t.is(codeOf(all, { ...team.again(target, since, votes), ...before }), 'ORGANIZATION_RECORD_OUTDATED')
  t.is(team.perform(team.again(target, since, votes)).status, 'COMPLETED')
})

test('a root quorum of two waits for its members, also for what only it may do', async (t) => {
  const team = await Team.open(dataKey)
  const [a, b, stranger] = ['a', 'b', 'stranger'].map((name) => team.join(name)) as [Member, Member, Member]
  team.bench.change('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds: [a.userId, b.userId] })
  team.bench.request('', {})
  const rename = team.bench.request('ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME', { organizationName: 'New' }, [], {
    stampPublicKey: a.publicKey,
  })
  const waiting = team.perform(rename)
  t.is(waiting.status, 'CONSENSUS_NEEDED')
  t.is(waiting.organization, undefined)
  t.deepEqual(textOf(waiting).voterIds, [a.userId, b.userId])
  const refused = refusalOf(() => team.perform(team.voting(team.vote(rename, stranger), rename, waiting)))
  t.is(refused.code, 'VOTE_NOT_AUTHORIZED')
  const done = team.perform(team.again(rename, waiting, [team.vote(rename, b)]))
  t.is((JSON.parse(done.organization?.text ?? '') as { organizationName: string }).organizationName, 'New')
})

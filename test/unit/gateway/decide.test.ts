/** Changes of one organization and votes, with a signer double that makes versions as the real one does. */
import { createHash, randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { Carrier } from '../../../gateway/activities/carry.ts'
import { LEASE_MS, Leases } from '../../../gateway/activities/leases.ts'
import type { ActivityDocument } from '../../../gateway/documents.ts'
import { openQueues } from '../../../gateway/queue/open-queues.ts'
import { SignerUnavailableError } from '../../../gateway/signer-client/signer-client.ts'
import { FIND_LIMIT_MAX } from '../../../gateway/store/store.ts'
import type { OutcomeStatus, PerformAnswer, PerformCall } from '../../../signer-core/protocol/messages.ts'
import { fixed, openSteps, outcome, type Perform } from '../../support/steps.ts'

interface Toy {
  organizationId: string
  version: number
  /** Ids of the activities that changed it, oldest first. */
  changedBy?: string[]
}

/** What a change makes of the record that it is brought. */
function changed({ activityId, organization }: PerformCall): PerformAnswer {
  const { changedBy, ...record } = JSON.parse(organization.text) as Toy
  const next: Toy = { ...record, version: record.version + 1, changedBy: [...(changedBy ?? []), activityId] }
  return { ok: true, value: { ...outcome, organization: { text: JSON.stringify(next), seal: '' } } }
}

async function world(t: ExecutionContext, perform: Perform) {
  const parts = await openSteps(perform)
  const logger = pino({ level: 'silent' })
  const queues = await openQueues(logger)
  const options = { holdMs: 10_000, underWayMax: 1_000, logger }
  const carrier = new Carrier(parts.store, parts.steps, parts.decide, queues, options)
  t.teardown(async () => {
    await carrier.close()
    await queues.close()
    await parts.dispose()
  })
  const record = async () => JSON.parse((await parts.organizations.documentOf(parts.organizationId)).text) as Toy
  const change = (members: Partial<ActivityDocument> = {}) =>
    parts.insert({ type: 'ACTIVITY_TYPE_CREATE_USER_TAG', ...members })
  return { ...parts, carrier, record, change }
}

test('fifty changes at once all land, each once, in versions without a gap', async (t) => {
  let calls = 0
  const { carrier, record, change } = await world(t, async (call) => {
    calls++
    return changed(call)
  })
  // Every other type is not known to change the record, and loses races for it.
  const types = ['ACTIVITY_TYPE_CREATE_USER_TAG', 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2']
  const activities = await Promise.all(Array.from({ length: 50 }, (_, i) => change({ type: types[i % 2] as string })))
  const ended = await Promise.all(activities.map((each) => carrier.carry(each)))
  t.true(ended.every(({ phase }) => phase === 'completed'))
  const { version, changedBy = [] } = await record()
  t.is(version, 51)
  t.deepEqual(changedBy.toSorted(), activities.map(({ _id }) => _id).toSorted())
  t.true(calls > 50, 'otherwise nobody has lost a race')
})

test('a change whose process ended behind the compare-and-set is not made again', async (t) => {
  const { carrier, record, change, decide, stored } = await world(t, async (call) => changed(call))
  const lost = await change()
  t.true((await decide.decide(lost)).ok, 'the record has it, the activity does not')
  t.is((await stored(lost._id))?.phase, 'accepted')
  t.is((await carrier.carry(lost)).phase, 'completed')
  t.deepEqual((await record()).changedBy, [lost._id])
})

test('nor is it when others have changed the record meanwhile: the next change stores it first', async (t) => {
  const { carrier, record, change, decide, stored } = await world(t, async (call) => changed(call))
  const lost = await change()
  await decide.decide(lost)
  const next = await change()
  await carrier.carry(next)
  t.is((await stored(lost._id))?.phase, 'completed')
  t.is((await carrier.carry(lost)).phase, 'completed')
  t.deepEqual((await record()).changedBy, [lost._id, next._id])
})

test('a decision that was under way while the record changed is made again', async (t) => {
  let interrupted = false
  const parts = await world(t, async (call) => {
    if (call.activityId === first._id && !interrupted) {
      interrupted = true
      // As another process would: not behind this change in its turn.
      await parts.steps.settle(other, { ok: true, value: fixed(outcome), votes: 0 })
      const from = await parts.organizations.documentOf(parts.organizationId)
      const answer = changed({ ...call, activityId: other._id })
      if (answer.ok !== true) throw new Error('no change')
      const next = answer.value.organization as { text: string; seal: string }
      await parts.organizations.advance(from, next, other._id, fixed(outcome), 0)
    }
    return changed(call)
  })
  const [first, other] = [await parts.change(), await parts.change()]
  t.is((await parts.carrier.carry(first)).phase, 'completed')
  t.deepEqual((await parts.record()).changedBy, [other._id, first._id])
})

test('an outdated record is asked about again only when there is another', async (t) => {
  const outdated: PerformAnswer = {
    ok: false,
    refusal: { code: 'ORGANIZATION_RECORD_OUTDATED', message: 'old', field: '' },
  }
  let calls = 0
  const parts = await world(t, async () => {
    calls++
    return outdated
  })
  const activity = await parts.change()
  t.is((await parts.carrier.carry(activity)).phase, 'failed')
  t.is(calls, 1)
})

test('a record that is not the next version is no outcome', async (t) => {
  const { carrier, change, record } = await world(t, async (call) => changed({ ...call, organization: twoOn(call) }))
  const twoOn = ({ organization }: PerformCall) => {
    const toy = JSON.parse(organization.text) as Toy
    return { text: JSON.stringify({ ...toy, version: toy.version + 1 }), seal: '' }
  }
  const ended = await carrier.carry(await change())
  t.like(ended, { phase: 'failed', failure: { code: 'SIGNER_REQUEST_MISMATCH' } })
  t.is((await record()).version, 1)
})

/** Two votes are enough, and a rejection ends it. */
function voting(call: PerformCall): PerformAnswer {
  if (call.target !== undefined) return { ok: true, value: outcome }
  const votes = (call.votes ?? []).map(({ body }) => Buffer.from(body, 'base64').toString())
  const rejected = votes.some((body) => body.includes('REJECT'))
  const status: OutcomeStatus = rejected ? 'REJECTED' : votes.length < 2 ? 'CONSENSUS_NEEDED' : 'COMPLETED'
  return { ok: true, value: { ...outcome, status } }
}

async function votingWorld(t: ExecutionContext, perform: Perform = async (call) => voting(call)) {
  const parts = await world(t, perform)
  const target = await parts.insert({ type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS' })
  const vote = (type: 'APPROVE' | 'REJECT') => {
    const parameters = { fingerprint: target.fingerprint }
    const body = JSON.stringify({ type: `ACTIVITY_TYPE_${type}_ACTIVITY`, parameters, nonce: randomUUID() })
    const fingerprint = `sha256:${createHash('sha256').update(body).digest('hex')}`
    return parts.insert({ type: `ACTIVITY_TYPE_${type}_ACTIVITY`, body, fingerprint })
  }
  return { ...parts, target, vote }
}

test('an activity waits, and is carried on with each vote', async (t) => {
  const { carrier, target, vote, stored } = await votingWorld(t)
  t.is((await carrier.carry(target)).phase, 'waiting')
  const first = await vote('APPROVE')
  t.like(await carrier.carry(first), { phase: 'completed', targetId: target._id })
  t.is((await stored(target._id))?.phase, 'waiting')
  const second = await vote('APPROVE')
  await carrier.carry(second)
  const ended = await stored(target._id)
  t.is(ended?.phase, 'completed')
  t.deepEqual(
    ended?.votes?.map(({ voteId }) => voteId),
    [first._id, second._id],
  )
})

test('a rejection ends it, and later votes find nothing that waits', async (t) => {
  const { carrier, target, vote, stored } = await votingWorld(t)
  await carrier.carry(target)
  await carrier.carry(await vote('REJECT'))
  t.is((await stored(target._id))?.phase, 'rejected')
  await t.throwsAsync(carrier.carry(await vote('APPROVE')), { message: /no activity that waits/ })
})

test('votes at once are all counted, and the activity ends', async (t) => {
  const { carrier, target, vote, stored } = await votingWorld(t)
  await carrier.carry(target)
  const votes = await Promise.all(Array.from({ length: 8 }, () => vote('APPROVE')))
  const ended = await Promise.allSettled(votes.map((each) => carrier.carry(each)))
  const target2 = await stored(target._id)
  t.is(target2?.phase, 'completed')
  const counted = target2?.votes?.map(({ voteId }) => voteId) ?? []
  t.true(counted.length >= 2)
  for (const [i, { status }] of ended.entries()) {
    t.is(status, counted.includes(votes[i]?._id as string) ? 'fulfilled' : 'rejected')
  }
})

test('a vote whose process ended when it was counted is not counted twice, and its target is recovered', async (t) => {
  const { carrier, decide, target, vote, stored } = await votingWorld(t)
  await carrier.carry(target)
  await carrier.carry(await vote('APPROVE'))
  const lost = await vote('APPROVE')
  t.true((await decide.decide(lost)).ok)
  t.is((await stored(lost._id))?.phase, 'accepted')
  t.is((await stored(target._id))?.phase, 'voted')
  t.is(await carrier.recover(), 2)
  t.like(await carrier.carry(lost), { phase: 'completed', targetId: target._id })
  const ended = await stored(target._id)
  t.is(ended?.phase, 'completed')
  t.is(ended?.votes?.length, 2)
})

test('while the signer is away the vote is kept, and the target follows', async (t) => {
  let away = 3
  const perform: Perform = async (call) => {
    if (call.votes !== undefined && call.votes.length === 2 && away-- > 0) throw new SignerUnavailableError('away')
    return voting(call)
  }
  const { carrier, target, vote, stored } = await votingWorld(t, perform)
  await carrier.carry(target)
  await carrier.carry(await vote('APPROVE'))
  await carrier.carry(await vote('APPROVE'))
  t.is((await stored(target._id))?.phase, 'completed')
})

test('what has waited cannot vanish: a denial later is a failure', async (t) => {
  const perform: Perform = async (call) => {
    const denied = { code: 'REQUEST_NOT_AUTHORIZED', message: 'no', field: '' } as const
    return call.votes?.length === 1 ? { ok: false, refusal: denied } : voting(call)
  }
  const { carrier, target, vote, stored } = await votingWorld(t, perform)
  await carrier.carry(target)
  await carrier.carry(await vote('APPROVE'))
  t.like(await stored(target._id), { phase: 'failed', failure: { code: 'REQUEST_NOT_AUTHORIZED' } })
})

test('a vote counts with its first decision, though the lease of its target is renewed meanwhile', async (t) => {
  let asked = 0
  let nowMs = 0
  const parts = await votingWorld(t, async (call) => {
    if (call.target === undefined) return voting(call)
    asked++
    // As whoever carries the target does while its step goes on.
    t.like(await leases.take(parts.target._id), { phase: 'voted' })
    return voting(call)
  })
  const leases = new Leases(parts.store, { nowMs: () => (nowMs += LEASE_MS), logger: pino({ level: 'silent' }) })
  const { carrier, decide, target, vote, stored } = parts
  await carrier.carry(target)
  const [first, second] = [await vote('APPROVE'), await vote('APPROVE')]
  const waiting = (await stored(target._id)) as ActivityDocument
  t.true(await parts.votes.append(waiting, first, fixed(outcome), 0))
  t.like(await decide.decide(second), { ok: true, targetId: target._id })
  t.is(asked, 1)
  t.deepEqual(
    (await stored(target._id))?.votes?.map(({ voteId }) => voteId),
    [first._id, second._id],
  )
})

test('a vote finds what waits, however often the same body was refused before', async (t) => {
  const { carrier, insert, target, vote, stored } = await votingWorld(t)
  const { fingerprint } = target
  // Ids of the past, as those that were refused before have.
  const refusedIds = Array.from({ length: FIND_LIMIT_MAX }, (_, i) => `00000000-${i}`)
  await Promise.all(refusedIds.map((_id) => insert({ _id, fingerprint, phase: 'refused' })))
  await carrier.carry(target)
  t.like(await carrier.carry(await vote('APPROVE')), { phase: 'completed', targetId: target._id })
  t.is((await stored(target._id))?.votes?.length, 1)
})

test('a vote is decided again when its target was evaluated anew meanwhile', async (t) => {
  let asked = 0
  const parts = await votingWorld(t, async (call) => {
    if (call.target !== undefined && ++asked === 1) await evaluateAnew()
    return voting(call)
  })
  const { carrier, decide, steps, target, vote, stored } = parts
  const evaluateAnew = async () => {
    const evaluation = { text: '{"anew":true}', seal: '' }
    const waiting = { ...fixed({ ...outcome, status: 'CONSENSUS_NEEDED' }), evaluation }
    await steps.settle(await steps.load(target._id), { ok: true, value: waiting, votes: 1 })
  }
  await carrier.carry(target)
  const [first, second] = [await vote('APPROVE'), await vote('APPROVE')]
  await parts.votes.append((await stored(target._id)) as ActivityDocument, first, fixed(outcome), 0)
  t.deepEqual(await decide.decide(second), { ok: 'moved' })
  t.is((await stored(target._id))?.votes?.length, 1)
  t.like(await decide.decide(second), { ok: true, targetId: target._id })
  t.is(asked, 2)
})

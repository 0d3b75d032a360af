/** Who takes the next step: leases of two processes on one store, and clocks that go wrong. */
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { Attempts } from '../../../gateway/activities/attempts.ts'
import { LEASE_MS, Leases } from '../../../gateway/activities/leases.ts'
import { Steps } from '../../../gateway/activities/steps.ts'
import type { ActivityDocument } from '../../../gateway/documents.ts'
import type { PerformAnswer } from '../../../signer-core/protocol/messages.ts'
import { changingOutcome, fixed, openSteps, outcome, type Perform } from '../../support/steps.ts'

const logger = pino({ level: 'silent' })
const signed: PerformAnswer = { ok: true, value: outcome }

async function twoProcesses(t: ExecutionContext, perform: Perform = async () => signed) {
  const { store, records, steps, decide, insert, stored, dispose } = await openSteps(perform)
  t.teardown(dispose)
  const clock = { nowMs: 1_000_000, steadyMs: 0 }
  const clocks = { nowMs: () => clock.nowMs, steadyMs: () => clock.steadyMs }
  const [first, second] = ['first', 'second'].map((owner) => new Leases(store, { owner, ...clocks, logger }))
  return { first: first as Leases, second: second as Leases, store, records, steps, decide, insert, stored, clock }
}

test('one takes it, the other finds it taken, until it is let go', async (t) => {
  const { first, second, insert, stored } = await twoProcesses(t)
  const { _id } = await insert()
  t.is((await first.take(_id))?.lease?.owner, 'first')
  t.is(await second.take(_id), undefined)
  t.is((await first.take(_id))?.lease?.owner, 'first', 'it is still ours')
  await first.release(_id, false)
  t.is((await stored(_id))?.lease, undefined)
  t.is((await second.take(_id))?.lease?.owner, 'second')
})

test('of many that race one takes it', async (t) => {
  const { first, second, insert } = await twoProcesses(t)
  const { _id } = await insert()
  const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? first : second).take(_id)))
  const owners = new Set(taken.filter((each) => each !== undefined).map(({ lease }) => lease?.owner))
  t.is(owners.size, 1)
  t.is(taken.filter((each) => each === undefined).length, 10)
})

test('the lease of a process that is gone ends for whoever saw it, to the millisecond', async (t) => {
  const { first, second, insert, clock } = await twoProcesses(t)
  const { _id } = await insert({ lease: first.fresh() })
  t.is(await second.take(_id), undefined)
  clock.steadyMs += LEASE_MS - 1
  t.is(await second.take(_id), undefined)
  clock.steadyMs += 1
  t.is((await second.take(_id))?.lease?.owner, 'second')
})

test('a lease that is renewed does not end', async (t) => {
  const { first, second, insert, clock } = await twoProcesses(t)
  const { _id } = await insert({ lease: first.fresh() })
  for (let renewals = 0; renewals < 3; renewals++) {
    t.is(await second.take(_id), undefined)
    clock.nowMs += LEASE_MS - 1
    clock.steadyMs += LEASE_MS - 1
    t.is((await first.take(_id))?.lease?.untilMs, clock.nowMs + LEASE_MS)
  }
  t.is(await second.take(_id), undefined)
})

const HOUR_MS = 3_600_000
for (const [name, jumpMs] of Object.entries({ ahead: HOUR_MS, behind: -HOUR_MS })) {
  test(`a lease binds as long as any, though its clock is an hour ${name}`, async (t) => {
    const { second, insert, clock } = await twoProcesses(t)
    const { _id } = await insert({ lease: { owner: 'other', untilMs: clock.nowMs + jumpMs } })
    t.is(await second.take(_id), undefined)
    clock.nowMs -= 2 * jumpMs
    clock.steadyMs += LEASE_MS - 1
    t.is(await second.take(_id), undefined)
    clock.steadyMs += 1
    t.is((await second.take(_id))?.lease?.owner, 'second')
  })
}

test('a clock that jumps back does not stretch the own lease', async (t) => {
  const { first, insert, clock } = await twoProcesses(t)
  const { _id } = await insert({ lease: first.fresh() })
  clock.nowMs -= HOUR_MS
  t.is((await first.take(_id))?.lease?.untilMs, clock.nowMs + LEASE_MS)
})

test('letting go of what somebody else has changes nothing', async (t) => {
  const { first, second, insert, stored } = await twoProcesses(t)
  const { _id } = await insert({ lease: first.fresh() })
  const before = await stored(_id)
  await second.release(_id, true)
  t.deepEqual(await stored(_id), before)
})

test('what has ended has no lease, and is not taken', async (t) => {
  const { first, second, steps, decide, insert, stored } = await twoProcesses(t)
  const { _id } = await insert()
  const ended = await new Attempts(steps, decide, first, logger).attempt(_id)
  t.like(ended, { phase: 'completed' })
  t.false('lease' in ((await stored(_id)) as ActivityDocument))
  t.like(await second.take(_id), { phase: 'completed' })
})

test('an attempt leaves alone what another process works on', async (t) => {
  let calls = 0
  const { first, second, steps, decide, insert } = await twoProcesses(t, async () => {
    calls++
    return signed
  })
  const { _id } = await insert({ lease: first.fresh() })
  t.is(await new Attempts(steps, decide, second, logger).attempt(_id), 'elsewhere')
  t.is(calls, 0)
})

test('hosts that were lost are counted in the store, for whoever tries next', async (t) => {
  const { first, second, insert, stored } = await twoProcesses(t)
  const { _id } = await insert()
  for (const leases of [first, second, first]) {
    await leases.take(_id)
    await leases.release(_id, true)
  }
  t.is((await stored(_id))?.hostsLost, 3)
})

test('records that take longer than the lease are written once, though it is renewed meanwhile', async (t) => {
  const { first, store, records, decide, insert, stored, clock } = await twoProcesses(t)
  let writes = 0
  const write = async (activity: ActivityDocument) => {
    if (++writes > 1) throw new Error('the records were written again')
    await records.write(activity)
    clock.nowMs += LEASE_MS
    t.is((await first.take(activity._id))?.lease?.untilMs, clock.nowMs + LEASE_MS)
  }
  const steps = new Steps({ store, records: { write }, nowMs: () => clock.nowMs })
  const { result, changes } = fixed(changingOutcome)
  const { _id } = await insert({ phase: 'executed', result, changes })
  t.like(await new Attempts(steps, decide, first, logger).attempt(_id), { phase: 'completed', result })
  t.is(writes, 1)
  const ended = (await stored(_id)) as ActivityDocument
  t.is(ended.phase, 'completed')
  t.false('changes' in ended || 'lease' in ended)
})

/** Carrying activities with a signer double and a real store: what is tried again, what ends, what a caller sees. */
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { Carrier } from '../../../gateway/activities/carry.ts'
import { ApiError } from '../../../gateway/http/errors.ts'
import { openQueues } from '../../../gateway/queue/open-queues.ts'
import { SignerUnavailableError } from '../../../gateway/signer-client/signer-client.ts'
import type { PerformAnswer } from '../../../signer-core/protocol/messages.ts'
import { until } from '../../support/processes.ts'
import { changingOutcome, fixed, openSteps, outcome, type Perform } from '../../support/steps.ts'

const signed: PerformAnswer = { ok: true, value: outcome }
const denied: PerformAnswer = { ok: false, refusal: { code: 'REQUEST_NOT_AUTHORIZED', message: 'no', field: '' } }

async function carrierWith(t: ExecutionContext, perform: Perform, holdMs = 10_000) {
  const { store, steps, decide, insert, stored, dispose } = await openSteps(perform)
  const logger = pino({ level: 'silent' })
  const queues = await openQueues(logger)
  const carrier = new Carrier(store, steps, decide, queues, { holdMs, underWayMax: 10, logger })
  t.teardown(async () => {
    await carrier.close()
    await queues.close()
    await dispose()
  })
  const fixElsewhere = async (id: string) => {
    await steps.fixOutcome(await steps.load(id), fixed(changingOutcome))
  }
  return { carrier, queues, accept: insert, stored, fixElsewhere }
}

/** Fails so often, then answers. */
function failing(
  times: number,
  error: SignerUnavailableError,
  answer = signed,
): (() => Promise<PerformAnswer>) & { calls: () => number } {
  let calls = 0
  const perform = async () => {
    if (++calls <= times) throw error
    return answer
  }
  return Object.assign(perform, { calls: () => calls })
}

test('while the signer is away it is asked again, however often', async (t) => {
  const perform = failing(6, new SignerUnavailableError('no connection'))
  const { carrier, accept } = await carrierWith(t, perform)
  t.is((await carrier.carry(await accept())).phase, 'completed')
  t.is(perform.calls(), 7)
})

test('an activity that loses one host after the other ends as failed', async (t) => {
  const perform = failing(Infinity, new SignerUnavailableError('host-lost', true))
  const { carrier, accept } = await carrierWith(t, perform)
  const ended = await carrier.carry(await accept())
  t.is(ended.phase, 'failed')
  t.is(ended.failure?.code, 'SIGNER_GAVE_UP')
  t.is(perform.calls(), 5)
})

test('after the hold the caller sees the activity as it is, and it ends in the background', async (t) => {
  const { promise, resolve } = Promise.withResolvers<PerformAnswer>()
  const { carrier, accept, stored } = await carrierWith(t, () => promise, 20)
  const activity = await accept()
  t.is((await carrier.carry(activity)).phase, 'accepted')
  resolve(signed)
  while ((await stored(activity._id))?.phase !== 'completed') await sleep(5)
  t.is((await carrier.carry(activity)).phase, 'completed', 'a stale reading leads to the end that is stored')
})

test('telling a caller PENDING does not make the signer act twice', async (t) => {
  const { promise, resolve } = Promise.withResolvers<PerformAnswer>()
  let calls = 0
  const perform = () => {
    calls++
    return promise
  }
  const { carrier, accept, stored } = await carrierWith(t, perform, 20)
  const activity = await accept()
  await carrier.carry(activity)
  t.true((await stored(activity._id))?.shownPending)
  resolve(signed)
  while ((await stored(activity._id))?.phase !== 'completed') await sleep(5)
  t.is(calls, 1)
})

test('a refusal after some tries, while the caller still waits, is an error', async (t) => {
  const perform = failing(3, new SignerUnavailableError('no connection'), denied)
  const { carrier, accept, stored } = await carrierWith(t, perform)
  const activity = await accept()
  const error = await t.throwsAsync(carrier.carry(activity), { instanceOf: ApiError })
  t.is(error?.code, 'REQUEST_NOT_AUTHORIZED')
  t.is((await stored(activity._id))?.phase, 'refused')
})

test('what is recovered ends in the background, and its refusal is a failure', async (t) => {
  const good = await carrierWith(t, failing(2, new SignerUnavailableError('no connection')))
  const left = await Promise.all(Array.from({ length: 3 }, () => good.accept()))
  const executed = await good.accept({ phase: 'executed', result: '{}' })
  await good.accept({ phase: 'completed', result: '{}' })
  t.is(await good.carrier.recover(), 4)
  for (const { _id } of [...left, executed]) {
    while ((await good.stored(_id))?.phase !== 'completed') await sleep(5)
  }
  const bad = await carrierWith(t, async () => denied)
  const doomed = await bad.accept()
  t.is(await bad.carrier.recover(), 1)
  while ((await bad.stored(doomed._id))?.phase === 'accepted') await sleep(5)
  t.is((await bad.stored(doomed._id))?.phase, 'failed')
})

test('without a queue the request itself tries again while its caller waits', async (t) => {
  const perform = failing(3, new SignerUnavailableError('no connection'))
  const { carrier, queues, accept } = await carrierWith(t, perform)
  await queues.close()
  t.is((await carrier.carry(await accept())).phase, 'completed')
  t.is(perform.calls(), 4)
})

test('without a queue the caller sees PENDING in the end, and asking again tries again', async (t) => {
  let away = true
  const perform = async () => {
    if (away) throw new SignerUnavailableError('no connection')
    return signed
  }
  const { carrier, queues, accept } = await carrierWith(t, perform, 60)
  await queues.close()
  const activity = await accept()
  t.is((await carrier.carry(activity)).phase, 'accepted')
  away = false
  // One hold may be too short for it on a busy machine.
  await until('its end by asking', async () => (await carrier.carry(activity)).phase === 'completed')
})

test('what loses hosts but was carried on elsewhere is not given up', async (t) => {
  const error = new SignerUnavailableError('host-lost', true)
  const perform = failing(Infinity, error)
  const world = await carrierWith(t, async () => {
    // With the last host that is lost, another process fixes the outcome, and leaves it at that.
    if (perform.calls() === 4) await world.fixElsewhere(activity._id)
    return perform()
  })
  const activity = await world.accept()
  t.is((await world.carrier.carry(activity)).phase, 'completed')
  t.is(perform.calls(), 5)
})

test('a refusal at once is an error, and gives the idempotency key back', async (t) => {
  const { carrier, accept, stored } = await carrierWith(t, async () => denied)
  const activity = await accept()
  const callers = await Promise.allSettled([carrier.carry(activity), carrier.carry(activity)])
  for (const caller of callers) {
    const { reason } = caller as PromiseRejectedResult
    t.true(reason instanceof ApiError && reason.code === 'REQUEST_NOT_AUTHORIZED')
  }
  t.like(await stored(activity._id), { phase: 'refused', idempotencyKey: `refused/${activity._id}` })
  const late = await t.throwsAsync(carrier.carry(activity), { instanceOf: ApiError })
  t.is(late?.code, 'REQUEST_NOT_AUTHORIZED', 'also for a reading of the past')
})

test('what was shown as pending cannot vanish: its refusal is a failure', async (t) => {
  const { promise, resolve } = Promise.withResolvers<PerformAnswer>()
  const { carrier, accept, stored } = await carrierWith(t, () => promise, 20)
  const activity = await accept()
  await carrier.carry(activity)
  resolve(denied)
  while ((await stored(activity._id))?.phase === 'accepted') await sleep(5)
  const ended = await stored(activity._id)
  t.is(ended?.phase, 'failed')
  t.is(ended?.failure?.code, 'REQUEST_NOT_AUTHORIZED')
  t.is(ended?.idempotencyKey, activity.idempotencyKey)
})

test('more than may be under way is refused before it is accepted', async (t) => {
  const { promise, resolve } = Promise.withResolvers<PerformAnswer>()
  const { carrier, accept } = await carrierWith(t, () => promise, 1)
  for (let i = 0; i < 9; i++) await carrier.carry(await accept())
  t.notThrows(() => carrier.refuseOverload())
  await carrier.carry(await accept())
  t.is(t.throws(() => carrier.refuseOverload(), { instanceOf: ApiError })?.code, 'OVERLOADED')
  resolve(signed)
})

test('a host that waits for its receipts is asked again, and the activity names the receipt of its outcome', async (t) => {
  const backlog = { publicKey: '', receiptKey: '', chainId: '', storedUpTo: 0, receipts: [] }
  let calls = 0
  const perform = async (): Promise<PerformAnswer> => (++calls < 3 ? { ok: 'later', backlog } : { ...signed, backlog })
  const { carrier, accept } = await carrierWith(t, perform)
  const ended = await carrier.carry(await accept())
  t.is(ended.phase, 'completed')
  t.is(calls, 3)
  t.is(ended.receiptId, '/0000000000000001')
})

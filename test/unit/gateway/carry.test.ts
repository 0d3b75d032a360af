/** Carrying activities with a signer double and a real store: what is tried again, what ends, what a caller sees. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { Carrier } from '../../../gateway/activities/carry.ts'
import { Steps } from '../../../gateway/activities/steps.ts'
import { activitiesSpec, type ActivityDocument } from '../../../gateway/documents.ts'
import { ApiError } from '../../../gateway/http/errors.ts'
import { ImportTargets } from '../../../gateway/imports/import-targets.ts'
import { Organizations } from '../../../gateway/organizations/organizations.ts'
import { PrivateKeys } from '../../../gateway/private-keys/private-keys.ts'
import { SignerUnavailableError } from '../../../gateway/signer-client/signer-client.ts'
import { openStore } from '../../../gateway/store/open-store.ts'
import type { Answer, Outcome } from '../../../signer-core/protocol/messages.ts'

type Perform = () => Promise<Answer<Outcome>>
const organizationId = randomUUID()
const outcome: Outcome = {
  result: '{"signRawPayloadResult":{}}',
  evaluation: { text: '{}', seal: '' },
  newKeys: [],
  exportedKeyIds: [],
  importTargetUsed: false,
  organizationVersion: 1,
}
const signed: Answer<Outcome> = { ok: true, value: outcome }
const denied: Answer<Outcome> = { ok: false, refusal: { code: 'REQUEST_NOT_AUTHORIZED', message: 'no', field: '' } }

async function carrierWith(t: ExecutionContext, perform: Perform, holdMs = 10_000) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ks-carry-'))
  const store = openStore({ dataDir })
  const organizations = new Organizations(store)
  await organizations.insert(organizationId, { text: '{}', seal: '' }, 0)
  const privateKeys = new PrivateKeys(store)
  const importTargets = new ImportTargets(store)
  const steps = new Steps({ store, signer: { perform }, organizations, privateKeys, importTargets, nowMs: Date.now })
  const carrier = new Carrier(store, steps, { holdMs, underWayMax: 10, logger: pino({ level: 'silent' }) })
  t.teardown(async () => {
    await carrier.close()
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  const activities = store.collection(activitiesSpec)
  const accept = async (): Promise<ActivityDocument> => {
    const activity: ActivityDocument = {
      _id: randomUUID(),
      v: 0,
      organizationId,
      idempotencyKey: randomUUID(),
      fingerprint: 'sha256:',
      type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
      phase: 'accepted',
      body: '{"parameters":{}}',
      stamp: { scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: '', signature: '' },
      createdAtMs: Date.now(),
      updatedAtMs: Date.now(),
    }
    await activities.insert(activity)
    return activity
  }
  return { carrier, accept, stored: (id: string) => activities.get(id) }
}

/** Fails so often, then answers. */
function failing(times: number, error: SignerUnavailableError, answer = signed): Perform & { calls: () => number } {
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
  const { promise, resolve } = Promise.withResolvers<Answer<Outcome>>()
  const { carrier, accept, stored } = await carrierWith(t, () => promise, 20)
  const activity = await accept()
  t.is((await carrier.carry(activity)).phase, 'accepted')
  resolve(signed)
  while ((await stored(activity._id))?.phase !== 'completed') await sleep(5)
  t.is((await carrier.carry(activity)).phase, 'completed', 'a stale reading leads to the end that is stored')
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
  const { promise, resolve } = Promise.withResolvers<Answer<Outcome>>()
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
  const { promise, resolve } = Promise.withResolvers<Answer<Outcome>>()
  const { carrier, accept } = await carrierWith(t, () => promise, 1)
  for (let i = 0; i < 9; i++) await carrier.carry(await accept())
  t.notThrows(() => carrier.refuseOverload())
  await carrier.carry(await accept())
  t.is(t.throws(() => carrier.refuseOverload(), { instanceOf: ApiError })?.code, 'OVERLOADED')
  resolve(signed)
})

/**
 * kill -9 of every process under load: what was acknowledged is there afterwards, byte for byte; what was not ends in
 * exactly one activity when it is sent again; there is no key too many and none too few (design.md section 3, step 6).
 */
import { randomInt, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { madeBy } from '../../gateway/activities/made.ts'
import {
  activitiesSpec,
  privateKeysSpec,
  type ActivityDocument,
  type PrivateKeyDocument,
} from '../../gateway/documents.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import type { CollectionSpec, StoredDocument } from '../../gateway/store/store.ts'
import type { Outcome } from '../../signer-core/protocol/messages.ts'
import type { PrivateKeyFacts } from '../../signer-core/protocol/private-key.ts'
import { Client, postBytes, stampOf, type HttpAnswer } from '../support/client.ts'
import { leftBehind, outcomesOf } from '../support/left-behind.ts'
import { assertNothingLost, CURVES, isReady, Load, publicKeyOf, type Created } from '../support/load.ts'
import { freePort, killAll, processesOf, until, untilEnded, type Processes } from '../support/processes.ts'
import { newDataDir, startService, type Service } from '../support/service.ts'
import { isSignatureOf } from '../support/verify-signature.ts'

const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
/** Before each kill, so that it meets a service at work. */
const ACKNOWLEDGED_BETWEEN = 20

/** What the store holds once nobody works on it: each activity ended, each key made by one of them. */
async function assertStoreInOrder(t: ExecutionContext, dataDir: string, activityCount: number): Promise<void> {
  const store = await openStore({ dataDir })
  try {
    const all = async <T extends StoredDocument>(spec: CollectionSpec<T>): Promise<T[]> => {
      const items: T[] = []
      let after: string | undefined
      do {
        const query = { where: {}, sort: '_id', limit: 1000 } as Parameters<
          ReturnType<typeof store.collection<T>>['find']
        >[0]
        const page = await store.collection(spec).find(after === undefined ? query : { ...query, after })
        items.push(...page.items)
        after = page.next
      } while (after !== undefined)
      return items
    }
    const activities = await all(activitiesSpec)
    t.is(activities.length, activityCount)
    t.deepEqual([...new Set(activities.map((each) => each.phase))], ['completed'])
    t.true(activities.every((each) => each.newKeys === undefined))
    const makers = new Map(activities.map((each) => [each._id, each]))
    for (const key of await all(privateKeysSpec)) {
      t.true(makers.get(key.activityId)?.result?.includes(key._id) === true, 'an orphaned key')
    }
  } finally {
    await store.close()
  }
}

/** Whoever is to be killed; undefined while it is not there. */
type Victim = (processes: Processes) => number | undefined
const victims: Record<string, Victim> = {
  gateway: ({ gateway }) => gateway,
  launcher: ({ launcher }) => launcher,
  host: ({ hosts }) => hosts[randomInt(Math.max(1, hosts.length))],
}
const KILLS_EACH = 5

for (const [name, victimOf] of Object.entries(victims)) {
  test.serial(`kill -9 of a ${name} under load loses nothing and doubles nothing`, async (t) => {
    await withLoad(t, async (service, load) => {
      const { gateway } = processesOf(service)
      for (let kill = 0; kill < KILLS_EACH; kill++) {
        await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
        await sleep(randomInt(0, 60))
        const victim = await find(service, victimOf)
        killAll([victim])
        await untilEnded([victim])
        await until('the service is back', () => isReady(service.dev.baseUrl))
      }
      if (name !== 'gateway') t.is(processesOf(service).gateway, gateway, 'the gateway has lived through it')
    })
  })
}

test.serial('kill -9 of one after the other, also while they are coming back', async (t) => {
  await withLoad(t, async (service, load) => {
    for (let round = 0; round < 2; round++) {
      await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
      for (const name of ['gateway', 'launcher', 'host', 'host', 'gateway', 'launcher']) {
        const victim = await find(service, victims[name] as Victim)
        killAll([victim])
        await sleep(randomInt(0, 300))
      }
    }
  })
})

async function find(service: Service, victimOf: Victim): Promise<number> {
  let victim: number | undefined
  await until('somebody to kill', () => (victim = victimOf(processesOf(service))) !== undefined)
  return victim as number
}

/** Runs a service and clients against it while `harm` is done to it, and looks at what is left. */
async function withLoad(t: ExecutionContext, harm: (service: Service, load: Load) => Promise<void>): Promise<void> {
  const service = await startService({ environment: { KEYSTEAD_PORT: String(await freePort()) } })
  t.teardown(() => service.dispose())
  const client = new Client(service.dev.baseUrl, service.dev)
  const { privateKeyId } = await client.createKey('CURVE_SECP256K1')
  const load = new Load(service.dev, privateKeyId)
  t.teardown(() => load.stop())
  await harm(service, load)
  await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
  await load.stop()
  t.log(await assertNothingLost(t, client, load, [privateKeyId]))
  t.notRegex(service.output(), /"msg":"bug"|activity_stuck/)
  await service.stop()
  await assertStoreInOrder(t, service.dataDir, load.sent.length + 1)
}

test.serial('kill -9 of everything at once, and a start on the same data', async (t) => {
  const dataDir = newDataDir()
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  const environment = { KEYSTEAD_PORT: String(await freePort()) }
  let service = await startService({ dataDir, environment })
  t.teardown(() => service.stop())
  const client = new Client(service.dev.baseUrl, service.dev)
  const { privateKeyId } = await client.createKey('CURVE_SECP256K1')
  const load = new Load(service.dev, privateKeyId)
  for (let kill = 0; kill < KILLS_EACH; kill++) {
    await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
    await sleep(randomInt(0, 60))
    const { all, cli } = processesOf(service)
    // Once only the parent: its children must notice and end by themselves.
    killAll(kill === 2 ? [cli] : all)
    await untilEnded(all)
    service = await startService({ dataDir, environment })
    t.is(service.dev.organizationId, client.credentials.organizationId)
  }
  await load.stop()
  t.log(`${KILLS_EACH} kills, ${await assertNothingLost(t, client, load, [privateKeyId])}`)
  await service.stop()
  await assertStoreInOrder(t, dataDir, load.sent.length + 1)
})

/** The document of a key as the gateway writes it from an outcome. */
function keyDocument(activity: ActivityDocument, { newKeys }: Outcome, place: number): PrivateKeyDocument {
  const { key, facts } = newKeys[place] as Outcome['newKeys'][number]
  return { _id: key.keyId, v: 0, ...madeBy(activity, place), ...(JSON.parse(facts) as PrivateKeyFacts), sealedKey: key }
}

test.serial('activities left behind in every phase are carried to exactly one end', async (t) => {
  const dataDir = newDataDir()
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await startService({ dataDir })
  t.teardown(() => first.stop())
  const { privateKeyId } = await new Client(first.dev.baseUrl, first.dev).createKey('CURVE_SECP256K1')
  await first.stop()

  const privateKeys = CURVES.map((curve) => ({
    privateKeyName: 'left behind',
    curve,
    privateKeyTags: [],
    addressFormats: ['ADDRESS_FORMAT_COMPRESSED'],
  }))
  const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8'
  const signing = { signWith: privateKeyId, payload: 'left', encoding, hashFunction: 'HASH_FUNCTION_SHA256' }
  const creation = (timestampMs: string) => leftBehind(first.dev, CREATE, { privateKeys }, timestampMs)
  const accepted = creation('1')
  const executed = creation('2')
  const halfWritten = creation('3')
  const written = creation('4')
  const signed = leftBehind(first.dev, SIGN, signing, '5')
  const doomed = leftBehind(first.dev, SIGN, { ...signing, signWith: randomUUID() }, '6')
  const creations = [accepted, executed, halfWritten, written]
  // The signer had answered for all four; of `accepted` the answer was lost.
  const outcomes = await outcomesOf(dataDir, creations)
  const outcomeOf = (activity: ActivityDocument) => outcomes[creations.indexOf(activity)] as Outcome

  const store = await openStore({ dataDir })
  const activities = store.collection(activitiesSpec)
  for (const activity of [accepted, signed, doomed]) await activities.insert(activity)
  for (const activity of [executed, halfWritten, written]) {
    const { result, evaluation, newKeys } = outcomeOf(activity)
    await activities.insert({ ...activity, v: 1, phase: 'executed', result, evaluation, newKeys })
  }
  const keys = store.collection(privateKeysSpec)
  await keys.insert(keyDocument(halfWritten, outcomeOf(halfWritten), 1))
  for (const place of CURVES.keys()) await keys.insert(keyDocument(written, outcomeOf(written), place))
  await store.close()

  const service = await startService({ dataDir })
  t.teardown(() => service.stop())
  const client = new Client(service.dev.baseUrl, service.dev)
  const submit = ({ type, body }: ActivityDocument): Promise<HttpAnswer> => {
    const path = `/public/v1/submit/${type === CREATE ? 'create_private_keys' : 'sign_raw_payload'}`
    return postBytes(service.dev.baseUrl, path, body, { 'X-Stamp': stampOf(service.dev, body) })
  }
  const statusOf = async ({ _id: activityId }: ActivityDocument): Promise<string> =>
    (await client.query('get_activity', { activityId })).json.activity.status
  // For two of them clients ask again, twenty at once and while they may still be under way; the others nobody calls.
  for (const activity of [accepted, written]) {
    const raced = await Promise.all(Array.from({ length: 20 }, () => submit(activity)))
    t.deepEqual([...new Set(raced.map((each) => each.json.activity.id))], [activity._id])
  }
  for (const activity of [executed, halfWritten, signed]) {
    await until('its end', async () => (await statusOf(activity)) === COMPLETED)
  }
  // A client may have seen it PENDING, so it cannot vanish; it ends as failed and stays so.
  await until('its failure', async () => (await statusOf(doomed)) === 'ACTIVITY_STATUS_FAILED')

  for (const activity of creations) {
    await until('its end', async () => (await submit(activity)).json.activity.status === COMPLETED)
    const answer = await submit(activity)
    const { result } = answer.json.activity
    const before = JSON.parse(outcomeOf(activity).result)
    t.deepEqual(result.createPrivateKeysResult.privateKeyIds, before.createPrivateKeysResult.privateKeyIds)
    // An outcome that was stored is kept; one that was lost is made anew, under the same key ids.
    if (activity === accepted) t.notDeepEqual(result, before)
    else t.deepEqual(result, before)
    for (const { privateKeyId: id, addresses } of result.createPrivateKeysResultV2.privateKeys) {
      t.is(await publicKeyOf(client, id), addresses[0].address)
    }
    t.is((await client.query('get_activity', { activityId: activity._id })).text, answer.text)
  }
  const rsv = (await submit(signed)).json.activity.result.signRawPayloadResult
  t.true(isSignatureOf('CURVE_SECP256K1', await publicKeyOf(client, privateKeyId), rsv, Buffer.from('left'), 'sha256'))
  const failed = (await submit(doomed)).json.activity
  t.is(failed.id, doomed._id)
  t.is(failed.failure.code, 'KEY_NOT_FOUND')
  t.deepEqual(Object.keys(failed.failure), ['code', 'message'])
  t.deepEqual(failed.result, {})

  const wanted = [privateKeyId, ...outcomes.flatMap((each) => each.newKeys.map(({ key }) => key.keyId))]
  const listed = async () =>
    (await client.query('list_private_keys')).json.privateKeys.map((each: Created) => each.privateKeyId).toSorted()
  t.deepEqual(await listed(), wanted.toSorted())
  for (const { newKeys } of outcomes) {
    for (const { key, facts } of newKeys) {
      const { publicKey, curve } = JSON.parse(facts) as PrivateKeyFacts
      const { privateKey } = (await client.query('get_private_key', { privateKeyId: key.keyId })).json
      t.is(privateKey.curve, curve)
      if (newKeys !== outcomeOf(accepted).newKeys) t.is(privateKey.publicKey, publicKey)
      const hash = curve === 'CURVE_ED25519' ? undefined : 'sha256'
      const hashFunction = hash === undefined ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_SHA256'
      for (const signWith of [key.keyId, privateKey.publicKey]) {
        const { activity } = (await client.sign(signWith, 'usable', hashFunction)).json
        const { signRawPayloadResult } = activity.result
        t.true(isSignatureOf(curve, privateKey.publicKey, signRawPayloadResult, Buffer.from('usable'), hash), signWith)
      }
    }
  }
})

/** The signer does not answer, or is not there: what the unmodified SDK sees meanwhile and afterwards. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { Client, newTimestampMs } from '../support/client.ts'
import { killAll, processesOf, until, untilEnded } from '../support/processes.ts'
import { startService } from '../support/service.ts'
import { isSignatureOf } from '../support/verify-signature.ts'
import { turnkeyClient } from './turnkey-client.ts'

const PENDING = 'ACTIVITY_STATUS_PENDING'
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'

const service = await startService({ environment: { KEYSTEAD_ACTIVITY_HOLD_MS: '300' } })
// A stopped process does not hear of the end.
test.after.always(() => killAll(processesOf(service).all, 'SIGCONT'))
test.after.always(() => service.dispose())

const client = new Client(service.dev.baseUrl, service.dev)
const api = turnkeyClient(service.dev)

const payload = 'while the signer is away'
const signing = { payload, encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' } as const
let privateKeyId: string
let publicKey: string
test.before(async () => {
  const key = { privateKeyName: 'early', curve: 'CURVE_SECP256K1' as const, privateKeyTags: [], addressFormats: [] }
  const request = { timestampMs: newTimestampMs(), privateKeys: [key] }
  // On a busy machine it may take longer than the short hold.
  await until('a key', async () => (await api.createPrivateKeys(request)).activity.status === COMPLETED)
  privateKeyId = (await api.createPrivateKeys(request)).privateKeys[0]?.privateKeyId ?? ''
  publicKey = (await client.query('get_private_key', { privateKeyId })).json.privateKey.publicKey
})

function launcherPid(): number {
  const { launcher } = processesOf(service)
  if (launcher === undefined) throw new Error('no launcher')
  return launcher
}

async function statusOf(activityId: string): Promise<string> {
  return (await client.query('get_activity', { activityId })).json.activity.status
}

async function newestActivity(): Promise<{ id: string; status: string }> {
  const { activities } = (await client.query('list_activities')).json
  return activities[0]
}

const untilEnd = (id: string) => until('its end', async () => (await statusOf(id)) !== PENDING)

test.serial('while the launcher stands still the SDK polls, and gets its signature', async (t) => {
  const launcher = launcherPid()
  const before = await newestActivity()
  process.kill(launcher, 'SIGSTOP')
  const call = api.signRawPayload({ signWith: privateKeyId, ...signing })
  await until('the activity', async () => (await newestActivity()).id !== before.id)
  // Longer than the hold, so that the SDK has its first answer.
  await sleep(600)
  t.is((await newestActivity()).status, PENDING)
  process.kill(launcher, 'SIGCONT')
  const signed = await call
  t.is(signed.activity.status, COMPLETED)
  t.is(signed.activity.id, (await newestActivity()).id)
  t.true(isSignatureOf('CURVE_SECP256K1', publicKey, signed, Buffer.from(payload), 'sha256'))
})

/** Kills the launcher; whoever would start it again stands still until `back` is called. */
async function withoutLauncher(): Promise<{ back: () => void }> {
  const { cli, launcher, hosts } = processesOf(service)
  process.kill(cli, 'SIGSTOP')
  killAll([launcher as number])
  await untilEnded(hosts)
  return { back: () => process.kill(cli, 'SIGCONT') }
}

test.serial('without a launcher the answer is PENDING; when it is back, everything ends by itself', async (t) => {
  const { back } = await withoutLauncher()
  const key = { privateKeyName: 'late', curve: 'CURVE_P256' as const, privateKeyTags: [], addressFormats: [] }
  const request = { timestampMs: newTimestampMs(), privateKeys: [key] }
  const doomedRequest = { timestampMs: newTimestampMs(), signWith: randomUUID(), ...signing }
  // Polls five times and returns what there is.
  const [created, again, signed, doomed] = await Promise.all([
    api.createPrivateKeys(request),
    api.createPrivateKeys(request),
    api.signRawPayload({ timestampMs: newTimestampMs(), signWith: privateKeyId, ...signing }),
    api.signRawPayload(doomedRequest),
  ])
  for (const { activity, ...fields } of [created, again, signed, doomed]) {
    t.is(activity.status, PENDING)
    t.deepEqual(fields, {})
    t.deepEqual(activity.result, {})
  }
  t.is(again.activity.id, created.activity.id)
  t.is((await fetch(`${service.dev.baseUrl}/readyz`)).status, 503)

  back()
  await untilEnd(signed.activity.id)
  const { activity } = await api.getActivity({ activityId: signed.activity.id })
  t.is(activity.status, COMPLETED)
  const rsv = activity.result.signRawPayloadResult as { r: string; s: string; v: string }
  t.true(isSignatureOf('CURVE_SECP256K1', publicKey, rsv, Buffer.from(payload), 'sha256'))

  await untilEnd(created.activity.id)
  const finished = await api.createPrivateKeys(request)
  t.is(finished.activity.status, COMPLETED)
  t.is(finished.activity.id, created.activity.id)
  const { privateKeys } = await api.getPrivateKeys()
  const late = privateKeys.filter((each) => each.privateKeyName === 'late').map((each) => each.privateKeyId)
  t.deepEqual(late, [finished.privateKeys[0]?.privateKeyId ?? ''])

  // Seen as PENDING it cannot become an error any more.
  await untilEnd(doomed.activity.id)
  const failed = await api.signRawPayload(doomedRequest)
  t.is(failed.activity.id, doomed.activity.id)
  t.is(failed.activity.status, 'ACTIVITY_STATUS_FAILED')
  t.is(String(failed.activity.failure?.code), 'KEY_NOT_FOUND')
})

test.serial('an identical request completes what was left, as soon as the signer is back', async (t) => {
  const { back } = await withoutLauncher()
  const stamped = newTimestampMs()
  const submit = () => client.sign(privateKeyId, payload, 'HASH_FUNCTION_SHA256', stamped)
  const first = await submit()
  t.is(first.json.activity.status, PENDING)
  back()
  let last = first
  await until('its end by asking', async () => {
    last = await submit()
    return last.json.activity.status !== PENDING
  })
  t.is(last.json.activity.id, first.json.activity.id)
  t.is(last.json.activity.status, COMPLETED)
  t.is(last.text, (await submit()).text)
})

/**
 * The way between gateway and signer is in foreign hands: each call of a real gateway is changed before a real launcher
 * gets it. No signature comes back, and the unmodified SDK sees why (design.md section 3, step 4).
 */
import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import type { Notarized, PerformCall, SealedKey } from '../../signer-core/protocol/messages.ts'
import type { RefusalCode } from '../../signer-core/protocol/refusals.ts'
import { turnkeyClient } from '../clients/turnkey-client.ts'
import { Client, postBytes, stampOf } from '../support/client.ts'
import { startDividedService } from '../support/divided-service.ts'
import { notarizedOrganization } from '../support/notarize.ts'
import type { Tamper } from '../support/signer-proxy.ts'

const service = await startDividedService()
test.after.always(() => service.dispose())

const { baseUrl, proxy, dataDir } = service
const { user, operator } = service.organizations
const client = new Client(baseUrl, user)
const api = turnkeyClient({ baseUrl, ...user })
const honest: Tamper = (call) => call

interface Created {
  privateKeyId: string
  sealed: SealedKey
}

async function create(by: Client): Promise<Created> {
  const { privateKeyId } = await by.createKey('CURVE_SECP256K1')
  const answer = proxy.answers.at(-1)
  if (answer?.ok !== true) throw new Error('no key was created')
  return { privateKeyId, sealed: answer.value.newKeys[0]?.key as SealedKey }
}

const hashFunction = 'HASH_FUNCTION_SHA256'
const encoding = 'PAYLOAD_ENCODING_TEXT_UTF8'
const sign = (payload: string) => api.signRawPayload({ signWith: own.privateKeyId, payload, encoding, hashFunction })

let own: Created
let sibling: Created
let foreign: Created
/** A call that the user has stamped before, and what the signer evaluated then. */
let earlier: PerformCall
let earlierEvaluation: Notarized
let foreignRecord: Notarized
let hostPids: number[]

test.before(async () => {
  own = await create(client)
  sibling = await create(client)
  foreign = await create(new Client(baseUrl, operator))
  foreignRecord = proxy.calls.at(-1)?.organization as Notarized
  assertSigned(await sign('pay Bob'))
  earlier = proxy.calls.at(-1) as PerformCall
  earlierEvaluation = await evaluationOf(earlier)
  hostPids = service.launcher.hostPids()
})

function assertSigned({ r }: { r?: string }): void {
  if (r === undefined) throw new Error('the honest way does not sign')
}

/** The genuine evaluation of this activity, as it would lie in the store of an activity that waits for approvals. */
async function evaluationOf(call: PerformCall): Promise<Notarized> {
  const answer = await proxy.ask(call)
  if (!answer.ok) throw new Error(`refused: ${answer.refusal.code}`)
  return answer.value.evaluation
}

const otherKey = ({ sealed }: Created, keyId: string): SealedKey => ({ ...sealed, keyId })
const otherId = '01890000-0000-7000-8000-000000000000'

/** Each way to change a call, and the code that the activity fails with. */
const tamperings: Record<string, { tamper: Tamper; code: RefusalCode }> = {
  'the payload of the body': {
    tamper: (call) => {
      const body = Buffer.from(call.body, 'base64').toString().replace('pay Alice', 'pay Mallo')
      return { ...call, body: Buffer.from(body).toString('base64') }
    },
    code: 'STAMP_INVALID',
  },
  'the body, with the stamp of an earlier one': {
    tamper: (call) => ({ ...call, stamp: earlier.stamp }),
    code: 'STAMP_INVALID',
  },
  'body and stamp for earlier ones, after the evaluation': {
    tamper: async (call) => {
      const { body, stamp } = earlier
      return { ...call, body, stamp, evaluation: await evaluationOf(call) }
    },
    code: 'SIGNER_REQUEST_MISMATCH',
  },
  'the evaluation for that of an earlier activity': {
    tamper: (call) => ({ ...call, evaluation: earlierEvaluation }),
    code: 'SIGNER_REQUEST_MISMATCH',
  },
  'a member of the evaluation': {
    tamper: async (call) => {
      const { text, seal } = await evaluationOf(call)
      return { ...call, evaluation: { text: text.replace('"voteIds":[]', '"voteIds":["x"]'), seal } }
    },
    code: 'SIGNER_REQUEST_MISMATCH',
  },
  'the commitment of the evaluation': {
    tamper: async (call) => {
      const { text, seal } = await evaluationOf(call)
      const digit = (before: string, first: string) => `${before}${first === '0' ? '1' : '0'}`
      const changed = text.replace(/("commitmentDigest":")(.)/, (_, before: string, first: string) =>
        digit(before, first),
      )
      return { ...call, evaluation: { text: changed, seal } }
    },
    code: 'SIGNER_REQUEST_MISMATCH',
  },
  'the seal of the evaluation': {
    tamper: async (call) => {
      const { text } = await evaluationOf(call)
      return { ...call, evaluation: { text, seal: randomBytes(32).toString('hex') } }
    },
    code: 'SIGNER_REQUEST_MISMATCH',
  },
  'the seal of the evaluation for that of the record': {
    tamper: async (call) => {
      const { text } = await evaluationOf(call)
      return { ...call, evaluation: { text, seal: call.organization.seal } }
    },
    code: 'SIGNER_REQUEST_MISMATCH',
  },
  'a member of the organization record': {
    tamper: (call) => {
      const { text, seal } = call.organization
      return { ...call, organization: { text: text.replace('"Development"', '"Production"'), seal } }
    },
    code: 'ORGANIZATION_RECORD_REFUSED',
  },
  'the seal of the organization record': {
    tamper: (call) => ({ ...call, organization: { ...call.organization, seal: foreignRecord.seal } }),
    code: 'ORGANIZATION_RECORD_REFUSED',
  },
  'the key for another one of the organization': {
    tamper: (call) => ({ ...call, keys: [otherKey(sibling, own.privateKeyId)] }),
    code: 'SEALED_KEY_REFUSED',
  },
  'the key for one of another organization': {
    tamper: (call) => ({ ...call, keys: [otherKey(foreign, own.privateKeyId)] }),
    code: 'SEALED_KEY_REFUSED',
  },
  'the key, after the evaluation': {
    tamper: async (call) => {
      const keys = [otherKey(sibling, own.privateKeyId)]
      return { ...call, keys, evaluation: await evaluationOf(call) }
    },
    code: 'SIGNER_REQUEST_MISMATCH',
  },
  'the activity id, after the evaluation': {
    tamper: async (call) => ({ ...call, activityId: otherId, evaluation: await evaluationOf(call) }),
    code: 'SIGNER_REQUEST_MISMATCH',
  },
}

for (const [name, { tamper, code }] of Object.entries(tamperings)) {
  test.serial(`exchanged: ${name}`, async (t) => {
    const answersBefore = proxy.answers.length
    await assertFailed(t, tamper, code)
    const said = proxy.answers.slice(answersBefore)
    t.deepEqual(
      said.map((each) => each.ok || each.refusal.code),
      [code],
      'the signer itself has refused',
    )
  })
}

/**
 * What the user has stamped the signer may sign, whichever activity asks; that the answer belongs to another one the
 * gateway sees.
 */
const genuineOfSomethingElse: Record<string, Tamper> = {
  'body and stamp for earlier ones': (call) => ({ ...call, body: earlier.body, stamp: earlier.stamp }),
  'the whole call for an earlier one': () => earlier,
  'the activity id': (call) => ({ ...call, activityId: otherId }),
}
for (const [name, tamper] of Object.entries(genuineOfSomethingElse)) {
  test.serial(`exchanged, nothing evaluated before: ${name}`, (t) => assertFailed(t, tamper, 'SIGNER_REQUEST_MISMATCH'))
}

/** The SDK's call fails under way, shows no signature, and stays what it is. */
async function assertFailed(t: ExecutionContext, tamper: Tamper, code: RefusalCode): Promise<void> {
  proxy.tamper = tamper
  const signed = await sign(`pay Alice ${randomBytes(4).toString('hex')}`)
  proxy.tamper = honest
  // signing-api.md section 2: on FAILED the SDK returns the activity and throws nothing.
  t.deepEqual(Object.keys(signed), ['activity'])
  const { activity } = signed
  t.is(activity.status, 'ACTIVITY_STATUS_FAILED')
  t.is(String(activity.failure?.code), code)
  t.deepEqual(activity.result, {})

  const calls = proxy.calls.length
  const body = Buffer.from(proxy.calls.at(-1)?.body ?? '', 'base64').toString()
  const headers = { 'X-Stamp': stampOf(user, body) }
  const again = await postBytes(baseUrl, '/public/v1/submit/sign_raw_payload', body, headers)
  t.is(again.status, 200)
  t.deepEqual(again.json.activity, activity)
  t.is((await client.query('get_activity', { activityId: activity.id })).text, again.text)
  t.is(proxy.calls.length, calls, 'asked again, it is not tried again')
}

const httpErrors: Record<string, { tamper: Tamper; code: number }> = {
  'the key for another one under its own id': {
    tamper: (call) => ({ ...call, keys: [sibling.sealed] }),
    code: 5,
  },
  'no key': { tamper: (call) => ({ ...call, keys: [] }), code: 5 },
  'the record of another organization': { tamper: (call) => ({ ...call, organization: foreignRecord }), code: 3 },
}
for (const [name, { tamper, code }] of Object.entries(httpErrors)) {
  test.serial(`exchanged, and nothing began: ${name}`, async (t) => {
    const answersBefore = proxy.answers.length
    proxy.tamper = tamper
    const error = await t.throwsAsync<Error & { code: number }>(sign('pay Alice'))
    proxy.tamper = honest
    t.is(error?.code, code)
    t.true(proxy.answers.slice(answersBefore).every((each) => !each.ok))
  })
}

test.serial('keys that another activity id or body has brought forth do not enter the store', async (t) => {
  const listed = async () => (await client.query('list_private_keys')).text
  const before = await listed()
  const key = { privateKeyName: 'x', curve: 'CURVE_P256' as const, privateKeyTags: [], addressFormats: [] }
  proxy.tamper = (call) => ({ ...call, activityId: otherId })
  const { activity } = await api.createPrivateKeys({ privateKeys: [key] })
  proxy.tamper = honest
  t.is(String(activity.failure?.code), 'SIGNER_REQUEST_MISMATCH')
  t.is(await listed(), before)
})

// Last: from then on the host has seen version 2.
test.serial('an organization record older than one that the signer has seen', async (t) => {
  const first = JSON.parse(earlier.organization.text)
  const second = await notarizedOrganization(dataDir, { ...first, version: 2 })
  t.deepEqual(await notarizedOrganization(dataDir, first), earlier.organization, 'the test makes what the signer makes')
  proxy.tamper = (call) => ({ ...call, organization: second })
  assertSigned(await sign('with the second version'))
  await assertFailed(t, honest, 'ORGANIZATION_RECORD_OUTDATED')
  await assertFailed(t, async (call) => ({ ...call, evaluation: earlierEvaluation }), 'ORGANIZATION_RECORD_OUTDATED')
  proxy.tamper = async (call) => {
    const evaluation = await evaluationOf({ ...call, organization: second })
    const third = await notarizedOrganization(dataDir, { ...first, version: 3 })
    return { ...call, organization: third, evaluation }
  }
  // It is decided anew under the present version, as after approvals.
  assertSigned(await sign('evaluated under the second version'))
  t.deepEqual(service.launcher.hostPids(), hostPids, 'all of it met one host, which lives')
})

/** A thousand requests with one body, all under way at once: one activity, one call of the signer, one key. */
import { Agent, request } from 'node:http'
import test from 'ava'
import { Client, stampOf } from '../support/client.ts'
import { startDividedService } from '../support/divided-service.ts'
import { until } from '../support/processes.ts'

const COUNT = 1_000
/** Far beyond what a thousand requests take: whoever waits is to see the end. */
const service = await startDividedService({ KEYSTEAD_ACTIVITY_HOLD_MS: '60000' })
test.after.always(() => service.dispose())

const { baseUrl, proxy } = service
const { user } = service.organizations
const client = new Client(baseUrl, user)
const agent = new Agent({ maxSockets: COUNT })
test.after.always(() => agent.destroy())

function creationOf(privateKeyName: string) {
  const addressFormats = ['ADDRESS_FORMAT_ETHEREUM']
  const privateKeys = [{ privateKeyName, curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats }]
  const { organizationId } = user
  return {
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    timestampMs: '1763693520123',
    organizationId,
    parameters: { privateKeys },
  }
}

interface Sending {
  /** The whole request is on its way. */
  sent: Promise<void>
  answered: Promise<{ status: number | undefined; text: string }>
}

/** A connection of its own for each request. */
function send(body: string, headers = { 'X-Stamp': stampOf(user, body) }): Sending {
  const sent = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<{ status: number | undefined; text: string }>()
  const asked = request(`${baseUrl}/public/v1/submit/create_private_keys`, { method: 'POST', agent, headers })
  asked.once('finish', () => sent.resolve())
  asked.once('error', (error) => {
    sent.reject(error)
    answered.reject(error)
  })
  asked.once('response', (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    response.once('end', () => answered.resolve({ status: response.statusCode, text }))
  })
  asked.end(body)
  return { sent: sent.promise, answered: answered.promise }
}

/** Sends all at once; the signer is asked, but hears of it only when the last request has been sent. */
async function sendTogether(bodies: string[]) {
  const { promise: allSent, resolve: release } = Promise.withResolvers<void>()
  const callsBefore = proxy.calls.length
  proxy.tamper = async (call) => {
    await allSent
    return call
  }
  // Stamped before the first connection: the server waits 15 s for a request, not for a thousand signatures.
  const stamped = bodies.map((body) => ({ body, headers: { 'X-Stamp': stampOf(user, body) } }))
  const sendings = stamped.map(({ body, headers }) => send(body, headers))
  await Promise.all(sendings.map((each) => each.sent))
  await until('the first call of the signer', () => proxy.calls.length > callsBefore)
  release()
  const answers = await Promise.all(sendings.map((each) => each.answered))
  return { answers, executions: proxy.calls.length - callsBefore }
}

async function keysNamed(name: string): Promise<{ privateKeyId: string }[]> {
  const { privateKeys } = (await client.query('list_private_keys')).json
  return privateKeys.filter((each: { privateKeyName: string }) => each.privateKeyName === name)
}

test.serial('1,000 identical bodies at once are one activity, one execution and one key', async (t) => {
  const body = JSON.stringify(creationOf('a thousand times'))
  const { answers, executions } = await sendTogether(Array.from({ length: COUNT }, () => body))
  t.is(answers.length, COUNT)
  t.deepEqual([...new Set(answers.map((each) => each.status))], [200])
  const [text = '', ...others] = new Set(answers.map((each) => each.text))
  t.deepEqual(others, [], 'all answers are equal, byte for byte')
  t.is(executions, 1)
  const { activity } = JSON.parse(text)
  t.is(activity.status, 'ACTIVITY_STATUS_COMPLETED')
  const [key, ...more] = await keysNamed('a thousand times')
  t.deepEqual(more, [])
  t.is(activity.result.createPrivateKeysResultV2.privateKeys[0].privateKeyId, key?.privateKeyId)
  t.is((await client.query('get_activity', { activityId: activity.id })).text, text)
  t.is((await send(body).answered).text, text)
  t.is(proxy.calls.length, 1, 'asking later asks the signer nothing')
})

test.serial('the spellings of one body at once are one activity, one execution and one key', async (t) => {
  const { type, timestampMs, organizationId, parameters } = creationOf('spelled')
  const spellings = [
    JSON.stringify({ type, timestampMs, organizationId, parameters }),
    JSON.stringify({ parameters, organizationId, timestampMs, type }),
    JSON.stringify({ organizationId, type, parameters, timestampMs }, null, 2),
    `\n ${JSON.stringify({ type, parameters, timestampMs, organizationId }, null, '\t')}\r\n`,
    JSON.stringify({ type, timestampMs, organizationId, parameters }).replace('"type"', String.raw`"\u0074ype"`),
  ]
  t.is(new Set(spellings).size, 5)
  const { answers, executions } = await sendTogether(Array.from({ length: 200 }, (_, i) => spellings[i % 5] as string))
  t.deepEqual([...new Set(answers.map((each) => each.status))], [200])
  t.is(new Set(answers.map((each) => each.text)).size, 1)
  t.is(executions, 1)
  t.is((await keysNamed('spelled')).length, 1)
})

/** Dry runs over HTTP: what the signer would decide, without an activity, a signature or a receipt. */
import test from 'ava'
import { newApiKeyPair } from '../../cli/api-key-pair.ts'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'

const service = await startService()
test.after.always(() => service.dispose())
const { dev } = service
const root = new Client(dev.baseUrl, dev)

let userId = ''
let signWith = ''
let ann = root
test.before(async () => {
  signWith = (await root.createKey('CURVE_P256')).privateKeyId
  const key = newApiKeyPair()
  const apiKey = { apiKeyName: 'k', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }
  const user = { userName: 'ann', apiKeys: [apiKey], authenticators: [], oauthProviders: [], userTags: [] }
  const { json } = await root.submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users: [user] })
  userId = json.activity.result.createUsersResult.userIds[0]
  const { organizationId } = dev
  ann = new Client(dev.baseUrl, { organizationId, apiPublicKey: key.publicKey, apiPrivateKey: key.privateKey })
})

const bodyOf = (payload: string) =>
  JSON.stringify({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    timestampMs: '1700000000000',
    organizationId: dev.organizationId,
    parameters: {
      signWith,
      payload,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    },
  })

const allow = (condition: string) => ({ policyName: 'p', effect: 'EFFECT_ALLOW', condition, notes: '' })
const signing = "activity.kind == 'SIGN_RAW_PAYLOAD'"

const countOf = async (query: string, member: string) =>
  (await root.query(query, { paginationOptions: { limit: '100' } })).json[member].length as number

test.serial('a body is judged for whoever asks, for another user, and under other policies', async (t) => {
  const before = [await countOf('list_activities', 'activities'), await countOf('list_receipts', 'receipts')]
  const outcome = async (client: Client, parameters: object) => {
    const { status, json } = await client.query('simulate_activity', { body: bodyOf('x'), ...parameters })
    t.is(status, 200, JSON.stringify(json))
    return json.simulation as { outcome: string; policyEvaluations: { policyId: string; outcome: string }[] }
  }
  t.like(await outcome(root, {}), { outcome: 'OUTCOME_ALLOW', policyEvaluations: [] })
  t.like(await outcome(ann, {}), { outcome: 'OUTCOME_DENY_IMPLICIT' })
  t.like(await outcome(root, { userId }), { outcome: 'OUTCOME_DENY_IMPLICIT' })
  t.deepEqual((await outcome(ann, { policies: [allow('1 == 2'), allow(signing)] })).policyEvaluations, [
    { policyId: '0', outcome: 'OUTCOME_DENY_IMPLICIT' },
    { policyId: '1', outcome: 'OUTCOME_ALLOW' },
  ])
  const two = { ...allow(signing), consensus: 'approvers.count() == 2' }
  t.is((await outcome(ann, { policies: [two] })).outcome, 'OUTCOME_REQUIRES_CONSENSUS')
  const after = [await countOf('list_activities', 'activities'), await countOf('list_receipts', 'receipts')]
  t.deepEqual(after, before, 'nothing has happened')
  t.is((await ann.sign(signWith, 'x', 'HASH_FUNCTION_SHA256')).status, 403, 'and nothing is allowed')
})

test.serial('what cannot be judged is refused as it would be', async (t) => {
  const status = async (parameters: object) => (await root.query('simulate_activity', parameters)).status
  t.is(await status({}), 400)
  t.is(await status({ body: 'no JSON' }), 400)
  t.is(await status({ body: bodyOf('x').replace(dev.organizationId, dev.operator.organizationId) }), 400)
  t.is(await status({ body: bodyOf('x').replace('SIGN_RAW', 'RAW') }), 400)
  t.is(await status({ body: bodyOf('x').replace(signWith, userId) }), 404, 'no such key')
  t.is(await status({ body: bodyOf('x'), userId: signWith }), 404, 'no such user')
  const { json } = await root.query('simulate_activity', { body: bodyOf('x'), policies: [allow('1 ==\n x')] })
  t.is(json.details[1].fieldViolations[0].field, 'policies.0.condition')
  t.regex(json.message, /line 2, column 2/)
})

test.serial('past activities are judged by other policies, each by whoever it was', async (t) => {
  await root.submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', allow(signing))
  const byRoot = await root.sign(signWith, 'y', 'HASH_FUNCTION_SHA256')
  const byAnn = await ann.sign(signWith, 'z', 'HASH_FUNCTION_SHA256')
  const filterByType = ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2']
  const policies = [{ ...allow(signing), effect: 'EFFECT_DENY' }]
  const { json } = await root.query('replay_activities', { policies, filterByType })
  t.deepEqual(
    json.replays.map((each: { activityId: string; outcome: string }) => [each.activityId, each.outcome]),
    [
      [byAnn.json.activity.id, 'OUTCOME_DENY_EXPLICIT'],
      [byRoot.json.activity.id, 'OUTCOME_ALLOW'],
    ],
  )
  const all = await root.query('replay_activities', { policies, paginationOptions: { limit: '2' } })
  t.is(all.json.replays.length, 2)
  t.is((await root.query('replay_activities', {})).status, 400)
})

import test from 'ava'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'

const service = await startService()
test.after.always(() => service.dispose())
const client = new Client(service.dev.baseUrl, service.dev)
const operator = new Client(service.dev.baseUrl, service.dev.operator)

const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
let newestFirst: string[] = []

test.before(async () => {
  const { privateKeyId } = await client.createKey('CURVE_ED25519')
  for (let i = 0; i < 12; i++) await client.sign(privateKeyId, `payload ${i}`, 'HASH_FUNCTION_NOT_APPLICABLE')
  // Refused requests are no activities.
  await client.sign(privateKeyId, 'x', 'HASH_FUNCTION_SHA256')
  await operator.createKey('CURVE_P256')
  newestFirst = await ids({ paginationOptions: { limit: '100' } })
})

async function ids(parameters: object): Promise<string[]> {
  const { json } = await client.query('list_activities', parameters)
  return json.activities.map((each: { id: string }) => each.id)
}

test('newest first, ten unless told, of the own organization only', async (t) => {
  t.is(newestFirst.length, 13)
  t.deepEqual(newestFirst, newestFirst.toSorted().toReversed())
  t.deepEqual(await ids({}), newestFirst.slice(0, 10))
  t.is((await operator.query('list_activities')).json.activities.length, 1)
})

test('pages after and before an activity lose and repeat nothing', async (t) => {
  const after = newestFirst[4] as string
  t.deepEqual(await ids({ paginationOptions: { limit: '3', after } }), newestFirst.slice(5, 8))
  t.deepEqual(await ids({ paginationOptions: { limit: '3', before: after } }), newestFirst.slice(1, 4))
  t.deepEqual(await ids({ paginationOptions: { limit: '100', after: newestFirst.at(-1) } }), [])
  t.deepEqual(await ids({ paginationOptions: { before: newestFirst[0] } }), [])
})

test('filters by type and status', async (t) => {
  t.deepEqual(await ids({ filterByType: [CREATE] }), newestFirst.slice(-1))
  t.is((await ids({ filterByType: [SIGN, CREATE], paginationOptions: { limit: '100' } })).length, 13)
  t.deepEqual(await ids({ filterByStatus: ['ACTIVITY_STATUS_FAILED'] }), [])
  t.is((await ids({ filterByStatus: ['ACTIVITY_STATUS_COMPLETED'], paginationOptions: { limit: '100' } })).length, 13)
})

test('bad options are named', async (t) => {
  const bad = [{ limit: '0' }, { limit: '101' }, { limit: 5 }, { after: 'x' }, { before: "' or 1=1" }]
  for (const paginationOptions of bad) {
    const { status, json } = await client.query('list_activities', { paginationOptions })
    t.is(status, 400)
    t.regex(json.details[1].fieldViolations[0].field, /^paginationOptions\./)
  }
  const both = { paginationOptions: { before: newestFirst[0], after: newestFirst[9] } }
  const { status, json } = await client.query('list_activities', both)
  t.is(status, 400)
  t.deepEqual(json.details[1].fieldViolations, [
    { field: 'paginationOptions.before', description: 'before not taken with after' },
  ])
})

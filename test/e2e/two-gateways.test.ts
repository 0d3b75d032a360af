/** The same body at two gateways at once: one activity, one execution, equal answers. */
import test from 'ava'
import { Client, postBytes, stampOf } from '../support/client.ts'
import { Cluster } from '../support/cluster.ts'
import { exportedLines, factsOf } from '../support/receipt-log.ts'
import { haveServers } from '../support/servers.ts'

const ROUNDS = 50
/** Requests of each round, half to either gateway. */
const AT_ONCE = 8

if (haveServers(test, 'two gateways', 'mongodb', 'redis')) {
  test(`${ROUNDS} bodies, each at both gateways at once`, async (t) => {
    const { cluster, at } = await Cluster.start(t, { environment: { KEYSTEAD_ACTIVITY_HOLD_MS: '30000' } })
    const client = new Client(at.baseUrl, at)
    const baseUrls = cluster.gateways.map(({ ready }) => ready.baseUrl)
    t.is(new Set(baseUrls).size, 2)
    const both = (path: string, body: string) => {
      const headers = { 'X-Stamp': stampOf(at, body) }
      const url = (i: number) => baseUrls[i % 2] as string
      return Promise.all(Array.from({ length: AT_ONCE }, (_, i) => postBytes(url(i), path, body, headers)))
    }
    const activityIds: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const privateKeys = [{ privateKeyName: `${round}`, curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }]
      const { organizationId } = at
      const timestampMs = String(1_763_693_520_000 + round)
      const body = {
        type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
        timestampMs,
        organizationId,
        parameters: { privateKeys },
      }
      const answers = await both('/public/v1/submit/create_private_keys', JSON.stringify(body))
      t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      t.is(new Set(answers.map(({ text }) => text)).size, 1, 'all answers are equal, byte for byte')
      t.is(answers[0]?.json.activity.status, 'ACTIVITY_STATUS_COMPLETED')
      activityIds.push(answers[0]?.json.activity.id)
    }
    t.is((await client.query('list_private_keys')).json.privateKeys.length, ROUNDS)
    const receipts = (await exportedLines(client)).map(factsOf)
    t.deepEqual(
      receipts.map(({ activityId }) => activityId).toSorted(),
      activityIds.toSorted(),
      'the signer was asked once for each',
    )
  })

  test('a body that is refused is refused alike by both', async (t) => {
    const { cluster, at } = await Cluster.start(t, { workers: 1 })
    const parameters = {
      signWith: '00000000-0000-4000-8000-000000000000',
      payload: 'x',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    }
    for (let round = 0; round < 10; round++) {
      const clients = cluster.gateways.map(({ ready }) => new Client(ready.baseUrl, at))
      const timestampMs = String(1_763_693_520_000 + round)
      const type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) =>
          (clients[i % 2] as Client).submit('sign_raw_payload', type, parameters, timestampMs),
        ),
      )
      t.deepEqual([...new Set(answers.map((answer) => answer.status))], [404])
      t.is(new Set(answers.map((answer) => answer.text)).size, 1)
    }
  })
}

/**
 * A worker killed at each of its steps: right after the write that ends the step has left for the store. The other worker
 * carries the activity to the same single end.
 */
import test from 'ava'
import { Client } from '../support/client.ts'
import { Cluster } from '../support/cluster.ts'
import { factsOf, exportedLines } from '../support/receipt-log.ts'
import { until } from '../support/processes.ts'
import { haveServers } from '../support/servers.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'

const RECOVERY_MS = 30_000
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'

/** Writes of a worker that creates a key, in their order: which collection, and the how manieth write to it. */
const steps: Record<string, { command: 'insert' | 'update'; collection: string; count: number }> = {
  'the lease taken': { command: 'update', collection: 'activities', count: 1 },
  'the receipt stored': { command: 'insert', collection: 'receipts', count: 1 },
  'the outcome fixed': { command: 'update', collection: 'activities', count: 2 },
  'the key written': { command: 'insert', collection: 'privateKeys', count: 1 },
  'a name of the key written': { command: 'insert', collection: 'keyNames', count: 1 },
  'all names of the key written': { command: 'insert', collection: 'keyNames', count: 2 },
  'the end recorded': { command: 'update', collection: 'activities', count: 3 },
}

if (haveServers(test, 'worker faults', 'mongodb', 'redis')) {
  test('SIGKILL of a worker after each of its steps', async (t) => {
    const options = { gateways: 1, workers: 0, gatewaysAlone: true, environment: { KEYSTEAD_ACTIVITY_HOLD_MS: '50' } }
    const { cluster, at } = await Cluster.start(t, options)
    const client = new Client(at.baseUrl, at)
    const made: string[] = []
    for (const [name, { command, collection, count }] of Object.entries(steps)) {
      // Only the victim's way to the store.
      const way = await TcpProxy.listen(cluster.mongodb.port)
      t.teardown(() => way.close())
      const victim = await cluster.addWorker(way)
      let seen = 0
      way.afterSending = (chunk) => {
        const writes = chunk.toString('latin1').includes(`\x02${command}\0${length(collection)}${collection}\0`)
        if (!writes || ++seen !== count) return 'pass'
        victim.process.kill('SIGKILL')
        return 'cut'
      }
      const privateKeys = [
        {
          privateKeyName: name,
          curve: 'CURVE_P256',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_COMPRESSED'],
        },
      ]
      const parameters = { privateKeys }
      const timestampMs = String(1_763_693_520_000 + made.length)
      const submit = () => client.submit('create_private_keys', CREATE, parameters, timestampMs)
      const { activity } = (await submit()).json
      t.is(activity.status, 'ACTIVITY_STATUS_PENDING', name)
      await victim.ended
      t.true(seen >= count, `${name}: the worker was killed there`)

      const other = await cluster.addWorker()
      const statusOf = async () =>
        (await client.query('get_activity', { activityId: activity.id })).json.activity.status
      await until(`the end after: ${name}`, async () => (await statusOf()) === COMPLETED, RECOVERY_MS)
      const again = (await submit()).json.activity
      t.is(again.id, activity.id)
      made.push(again.result.createPrivateKeysResultV2.privateKeys[0].privateKeyId)
      other.process.kill('SIGTERM')
      await other.ended
    }
    const { privateKeys } = (await client.query('list_private_keys')).json
    const listed = privateKeys.map((each: { privateKeyId: string }) => each.privateKeyId)
    t.deepEqual(listed.toSorted(), made.toSorted(), 'each activity has made its key, and no other is there')
    for (const line of await exportedLines(client)) t.is(factsOf(line).outcome, 'COMPLETED')
  })
}

const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'

/** BSON's length of a string: its bytes and the zero at their end, little-endian. */
function length(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(text.length + 1)
  return bytes.toString('latin1')
}

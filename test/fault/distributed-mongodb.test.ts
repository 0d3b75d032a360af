/**
 * The store away or its answers lost: what was acknowledged stays, a write of which nobody knows whether it was done is
 * done once. By hand with a longer outage: `KEYSTEAD_TEST_OUTAGE_S=60`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { Client } from '../support/client.ts'
import { Cluster } from '../support/cluster.ts'
import { assertNothingLost, isReady, keyFor, Load } from '../support/load.ts'
import { until } from '../support/processes.ts'
import { SeededRandom, seedOfRun } from '../support/seeded-random.ts'
import { haveServers } from '../support/servers.ts'

const RECOVERY_MS = 30_000
const ACKNOWLEDGED_BETWEEN = 20
const OUTAGE_S = Number(process.env['KEYSTEAD_TEST_OUTAGE_S'] ?? '5')
const CUTS = 200

async function atWork(t: ExecutionContext) {
  const { cluster, at } = await Cluster.start(t)
  const client = new Client(at.baseUrl, at)
  const privateKeyId = await keyFor(client)
  const load = new Load(at, privateKeyId)
  t.teardown(() => load.stop())
  await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
  const assertWhole = async () => {
    await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
    await load.stop()
    t.log(await assertNothingLost(t, client, load, [privateKeyId]))
  }
  return { cluster, at, load, assertWhole }
}

if (haveServers(test, 'MongoDB faults', 'mongodb', 'redis')) {
  test.serial(`the store killed under load and away for ${OUTAGE_S} s`, async (t) => {
    const { cluster, at, load, assertWhole } = await atWork(t)
    const server = cluster.backing.mongodb.process
    if (server === undefined) return void t.pass('a given server is not killed')
    for (let kill = 0; kill < 2; kill++) {
      await server.kill()
      const ready = await fetch(`${at.baseUrl}/readyz`)
      t.is(ready.status, 503)
      t.like(await ready.json(), { status: 'unavailable', store: 'unavailable', signer: 'ok' })
      await sleep(OUTAGE_S * 1_000)
      await server.start()
      await until('the service is back', () => isReady(at.baseUrl), RECOVERY_MS)
      await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
    }
    await assertWhole()
  })

  test.serial(`the connection cut right after a write was sent, ${CUTS} times`, async (t) => {
    const { cluster, load, assertWhole } = await atWork(t)
    const seed = seedOfRun()
    t.log(`KEYSTEAD_TEST_SEED=${seed}`)
    const random = new SeededRandom(seed)
    let cuts = 0
    cluster.mongodb.afterSending = (chunk) => {
      // BSON of a command: a string by its name.
      // oxlint-disable-next-line no-control-regex -- they are what is looked for
      const writes = /\x02(?:insert|update)\0/.test(chunk.toString('latin1'))
      // Some get through, or nothing would ever come to its end.
      if (!writes || cuts >= CUTS || random.below(10) < 7) return 'pass'
      cuts++
      return 'cut'
    }
    await until(`${CUTS} cuts`, () => cuts >= CUTS, 180_000)
    t.true(load.sent.length > 0)
    await assertWhole()
  })
}

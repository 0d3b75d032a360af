/**
 * Gateways and workers whose clocks are minutes apart, and jump: leases still say who works on what, so that nothing is
 * executed twice, what a killed process left is carried on as soon as ever, and times of activities only go forward.
 */
import { join } from 'node:path'
import test from 'ava'
import { Client, postBytes, stampOf } from '../support/client.ts'
import { Cluster } from '../support/cluster.ts'
import { assertNothingLost, keyFor, Load, pendingCount } from '../support/load.ts'
import { until } from '../support/processes.ts'
import { exportedLines, factsOf } from '../support/receipt-log.ts'
import { haveServers } from '../support/servers.ts'

const RECOVERY_MS = 30_000
const ACKNOWLEDGED_BETWEEN = 20
const MINUTES_MS = 10 * 60_000
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
const ROUNDS = 10
/** Requests of each round, to all gateways in turn. */
const AT_ONCE = 8

const clock = (aheadMs: number, jumpMs = 0) => ({
  NODE_OPTIONS: `--import ${join(import.meta.dirname, '../support/shifted-clock.ts')}`,
  KEYSTEAD_TEST_CLOCK_AHEAD_MS: String(aheadMs),
  KEYSTEAD_TEST_CLOCK_JUMP_MS: String(jumpMs),
})
const ahead = clock(MINUTES_MS)
const behind = clock(-MINUTES_MS)
const jumping = clock(MINUTES_MS, 700)

interface Activity {
  id: string
  status: string
  createdAt: { seconds: string }
  updatedAt: { seconds: string }
}

if (haveServers(test, 'clocks', 'mongodb', 'redis')) {
  test.serial('one body at gateways with three clocks at once: one execution and equal answers', async (t) => {
    // Nobody is to wait in vain on a machine that is short of processor time.
    const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '30000' }
    const { cluster, at } = await Cluster.start(t, { gateways: 3, environment, each: [jumping, behind, ahead] })
    const baseUrls = cluster.gateways.map(({ ready }) => ready.baseUrl)
    const client = new Client(at.baseUrl, at)
    const activityIds: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const privateKeys = [{ privateKeyName: `${round}`, curve: 'CURVE_P256', privateKeyTags: [], addressFormats: [] }]
      const { organizationId } = at
      const timestampMs = String(1_763_693_520_000 + round)
      const body = JSON.stringify({ type: CREATE, timestampMs, organizationId, parameters: { privateKeys } })
      const send = (i: number) =>
        postBytes(baseUrls[(i + round) % baseUrls.length] as string, '/public/v1/submit/create_private_keys', body, {
          'X-Stamp': stampOf(at, body),
        })
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => send(i)))
      t.is(new Set(answers.map(({ text }) => text)).size, 1, 'all answers are equal, byte for byte')
      const activity = answers[0]?.json.activity as Activity
      t.is(activity.status, COMPLETED)
      t.true(Number(activity.updatedAt.seconds) >= Number(activity.createdAt.seconds))
      activityIds.push(activity.id)
    }
    t.is((await client.query('list_private_keys')).json.privateKeys.length, ROUNDS)
    const receipts = (await exportedLines(client)).map(factsOf)
    t.deepEqual(
      receipts.map(({ activityId }) => activityId).toSorted(),
      activityIds.toSorted(),
      'the signer was asked once for each',
    )
  })

  test.serial(
    'clocks apart and jumping, the signer away, a worker killed: nothing lost and nothing twice',
    async (t) => {
      const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '1000' }
      const { cluster, at } = await Cluster.start(t, { gateways: 3, environment, each: [behind, jumping, ahead] })
      const client = new Client(at.baseUrl, at)
      const privateKeyId = await keyFor(client)
      const load = new Load(at, privateKeyId)
      t.teardown(() => load.stop())
      await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
      await cluster.launcher.stop()
      const waiting = load.sent.length
      await until('activities that wait', () => load.sent.length > waiting + 10)
      await load.stop()
      t.true((await pendingCount(client, load.sent)) > 0)
      await cluster.restartLauncher()
      cluster.workers[0]?.process.kill('SIGKILL')
      // Nobody asks for them again.
      await until('their end', async () => (await pendingCount(client, load.sent)) === 0, RECOVERY_MS)
      load.start()
      await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
      await load.stop()
      t.log(await assertNothingLost(t, client, load, [privateKeyId]))
    },
  )
}

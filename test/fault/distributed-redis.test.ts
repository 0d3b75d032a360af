/** Redis is a hint: emptied, killed or frozen under load it costs time, and nothing that was acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import { Client } from '../support/client.ts'
import { Cluster } from '../support/cluster.ts'
import { assertNothingLost, keyFor, Load, pendingCount } from '../support/load.ts'
import { until } from '../support/processes.ts'
import { haveServers } from '../support/servers.ts'

/** The issue's own figure for recovery without an operator. */
const RECOVERY_MS = 30_000
const ACKNOWLEDGED_BETWEEN = 20

/** Clients at work while `harm` is done, then everything looked at. */
async function underLoad(t: ExecutionContext, harm: (cluster: Cluster, load: Load) => Promise<void>): Promise<void> {
  const environment = { KEYSTEAD_ACTIVITY_HOLD_MS: '1000', KEYSTEAD_WORKER_HEALTH_PORT: '0' }
  const { cluster, at } = await Cluster.start(t, { environment })
  if (cluster.backing.redis.process === undefined) return void t.pass('a given Redis is not harmed')
  const client = new Client(at.baseUrl, at)
  const privateKeyId = await keyFor(client)
  const load = new Load(at, privateKeyId)
  t.teardown(() => load.stop())
  await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
  await harm(cluster, load)
  await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
  await load.stop()
  t.log(await assertNothingLost(t, client, load, [privateKeyId]))
}

/** Without the queue a gateway does its job, and a worker has none. */
async function assertReadyWithoutQueue(t: ExecutionContext, { gateways, workers }: Cluster): Promise<void> {
  const gateway = await fetch(`${gateways[0]?.ready.baseUrl}/readyz`)
  t.is(gateway.status, 200)
  t.like(await gateway.json(), { store: 'ok', signer: 'ok', queue: 'unavailable' })
  const worker = await fetch(`${workers[0]?.ready.healthUrl}/readyz`)
  t.is(worker.status, 503)
  t.like(await worker.json(), { store: 'ok', signer: 'ok', queue: 'unavailable' })
}

if (haveServers(test, 'Redis faults', 'mongodb', 'redis')) {
  test.serial('FLUSHALL again and again under load', async (t) => {
    await underLoad(t, async ({ backing }, load) => {
      const redis = new Redis(backing.redis.url)
      for (let i = 0; i < 20; i++) {
        await redis.flushall()
        await load.untilAtWork(2)
      }
      redis.disconnect()
    })
  })

  test.serial('what waits for the signer in an emptied queue is found again by nobody’s hand', async (t) => {
    await underLoad(t, async (cluster, load) => {
      await cluster.launcher.stop()
      const waiting = load.sent.length
      await until('activities that wait', () => load.sent.length > waiting + 10)
      await load.stop()
      const redis = new Redis(cluster.backing.redis.url)
      await redis.flushall()
      const client = new Client(load.credentials.baseUrl, load.credentials)
      t.true((await pendingCount(client, load.sent)) > 0)
      await cluster.restartLauncher()
      // Nobody asks for them again: only sweepers and workers are at work.
      await until('their end', async () => (await pendingCount(client, load.sent)) === 0, RECOVERY_MS)
      redis.disconnect()
      load.start()
    })
  })

  test.serial('Redis killed under load, away for seconds, and back', async (t) => {
    await underLoad(t, async (cluster, load) => {
      const { backing, gateways } = cluster
      for (let kill = 0; kill < 2; kill++) {
        await backing.redis.process?.kill()
        // Requests carry their own activities.
        await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
        await assertReadyWithoutQueue(t, cluster)
        await backing.redis.process?.start()
        await load.untilAtWork(5)
      }
      await until('the queue is back', async () => {
        const ready = (await (await fetch(`${gateways[0]?.ready.baseUrl}/readyz`)).json()) as { queue: string }
        return ready.queue === 'ok'
      })
    })
  })

  test.serial('Redis slow, then frozen, while the signer comes and goes', async (t) => {
    await underLoad(t, async (cluster, load) => {
      cluster.redis.answerDelayMs = 300
      await cluster.launcher.stop()
      await sleep(2_000)
      cluster.backing.redis.process?.pause()
      await sleep(3_000)
      await cluster.restartLauncher()
      await load.untilAtWork(ACKNOWLEDGED_BETWEEN)
      await assertReadyWithoutQueue(t, cluster)
      cluster.backing.redis.process?.resume()
      cluster.redis.answerDelayMs = 0
    })
  })
}

/**
 * A queue that is shared says nothing to whoever has added a job: another process runs it, or it is lost. What a process
 * still knows of an activity then ends all the same.
 */
import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { Carrier } from '../../gateway/activities/carry.ts'
import { BullmqQueues } from '../../gateway/queue/bullmq/bullmq-queues.ts'
import { SignerUnavailableError } from '../../gateway/signer-client/signer-client.ts'
import { until, untilItWorks } from '../support/processes.ts'
import { startRedis, type RedisServer } from '../support/redis-server.ts'
import { haveServers } from '../support/servers.ts'
import { openSteps, outcome } from '../support/steps.ts'

const logger = pino({ level: 'silent' })
/** Longer than any test waits. */
const FOR_EVER_MS = 600_000
const SHORT_MS = 20

interface Process {
  /** Whether it works through jobs. */
  handlesJobs: boolean
  holdMs: number
}

/** Processes with one store, one signer, which is away at first, and one queue. */
async function world(t: ExecutionContext, { url }: RedisServer) {
  const signer = { isAway: true, answers: Promise.resolve() }
  const { store, steps, decide, insert, stored, dispose } = await openSteps(async () => {
    await signer.answers
    if (signer.isAway) throw new SignerUnavailableError('no connection')
    return { ok: true, value: outcome }
  })
  const prefix = `shared-${randomUUID()}`
  const closes: (() => Promise<void>)[] = []
  t.teardown(async () => {
    for (const close of closes) await close()
    await dispose()
  })
  const start = async ({ handlesJobs, holdMs }: Process) => {
    const queues = new BullmqQueues({ url, prefix, handlesJobs }, logger)
    const carrier = new Carrier(store, steps, decide, queues, { holdMs, underWayMax: 1, logger })
    closes.push(async () => {
      await carrier.close()
      await queues.close()
    })
    await untilItWorks('Redis', () => queues.ready())
    const takesWork = () => {
      try {
        carrier.refuseOverload()
        return true
      } catch {
        return false
      }
    }
    return { carrier, takesWork }
  }
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  /** As FLUSHALL does once a job is there, but other tests have jobs of their own. */
  const loseJobs = async () => {
    await until('a job', async () => (await redis.keys(`${prefix}:*:id-*`)).length > 0)
    await redis.eval("return redis.call('del', unpack(redis.call('keys', ARGV[1])))", 0, `${prefix}:*`)
  }
  return { signer, start, insert, stored, loseJobs }
}

if (haveServers(test, 'shared queues', 'redis')) {
  let redis: RedisServer
  test.before(async () => {
    redis = await startRedis()
  })
  test.after.always(() => redis.dispose())

  for (const handlesJobs of [true, false]) {
    const name = handlesJobs ? 'a worker' : 'a gateway'
    test(`once its callers have gone, ${name} has nothing under way for what is queued`, async (t) => {
      const { start, insert } = await world(t, redis)
      const { carrier, takesWork } = await start({ handlesJobs, holdMs: SHORT_MS })
      for (let i = 0; i < 3; i++) {
        t.is((await carrier.carry(await insert())).phase, 'accepted')
        await until('room for another', takesWork)
      }
    })

    test(`a caller of ${name} sees the end that another process came to, though the job was lost`, async (t) => {
      const { signer, start, insert, loseJobs } = await world(t, redis)
      const here = await start({ handlesJobs, holdMs: FOR_EVER_MS })
      const elsewhere = await start({ handlesJobs: false, holdMs: FOR_EVER_MS })
      const activity = await insert()
      let seen: string | undefined
      const answer = here.carrier.carry(activity).then(({ phase }) => (seen = phase))
      await loseJobs()
      signer.isAway = false
      await elsewhere.carrier.carry(activity)
      await until('the answer', () => seen !== undefined)
      t.is(await answer, 'completed')
    })
  }

  test('the own sweep queues again what was lost while a caller waits for it', async (t) => {
    const { signer, start, insert, loseJobs } = await world(t, redis)
    const { carrier } = await start({ handlesJobs: true, holdMs: FOR_EVER_MS })
    let seen: string | undefined
    const answer = carrier.carry(await insert()).then(({ phase }) => (seen = phase))
    await loseJobs()
    signer.isAway = false
    await until('the answer', async () => {
      await carrier.recover()
      return seen !== undefined
    })
    t.is(await answer, 'completed')
  })

  test('a vote that a worker has counted leaves nothing under way for a target that cannot be carried now', async (t) => {
    const { signer, start, insert, stored } = await world(t, redis)
    const { promise, resolve } = Promise.withResolvers<void>()
    signer.answers = promise
    const { carrier, takesWork } = await start({ handlesJobs: true, holdMs: SHORT_MS })
    const target = await insert({ phase: 'voted', votes: [], evaluation: { text: '{}', seal: '' } })
    const vote = await insert({ phase: 'executed', result: '{}', targetId: target._id })
    await carrier.recover()
    await until('the vote has led to its target', () => !takesWork())
    t.is((await stored(vote._id))?.phase, 'completed')
    resolve()
    await until('room for another', takesWork)
    t.is((await stored(target._id))?.phase, 'voted')
  })
}

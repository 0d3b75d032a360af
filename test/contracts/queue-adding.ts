/** Rules of `add`: what becomes a job, what is one already, and when. */
import { randomUUID } from 'node:crypto'
import { DELAY_MS_MAX } from '../../gateway/queue/queue.ts'
import { gate, Recorder } from './queue-recorder.ts'
import { openQueue, type Rule } from './queue.ts'

/** Document ids that a queue's own naming could spoil. */
const IDS = [
  randomUUID(),
  '1',
  '0',
  '-1',
  'a:b:c',
  'organization/user',
  '__proto__',
  'Zażółć 鍵 🔑',
  ' ',
  '{"$gt":""}',
  '*',
  'x'.repeat(256),
]

export function addingRules(rule: Rule): void {
  rule('any document id is a job, handled once, in the order of adding', async (t, queues) => {
    const recorder = new Recorder()
    const queue = openQueue(queues, recorder.handler)
    for (const id of IDS) await queue.add(id)
    await recorder.untilEnded(IDS.length)
    t.deepEqual(recorder.begun, IDS)
  })

  rule('1,000 jobs added at once are each handled once', async (t, queues) => {
    const recorder = new Recorder()
    const queue = openQueue(queues, recorder.handler, { concurrency: 10 })
    const ids = Array.from({ length: 1_000 }, () => randomUUID())
    await Promise.all(ids.map((id) => queue.add(id)))
    await recorder.untilEnded(ids.length)
    t.deepEqual(recorder.begun.toSorted(), ids.toSorted())
  })

  rule('an id that waits is not added again', async (t, queues) => {
    const { passed, open } = gate()
    const recorder = new Recorder(async (id) => {
      if (id === 'first') await passed
      return 'done'
    })
    const queue = openQueue(queues, recorder.handler)
    await queue.add('first')
    await recorder.untilBegun(1)
    for (const id of ['waits', 'waits', 'last', 'waits']) await queue.add(id)
    open()
    await recorder.untilEnded(3)
    await queue.add('afterwards')
    await recorder.untilEnded(4)
    t.deepEqual(recorder.begun, ['first', 'waits', 'last', 'afterwards'])
  })

  rule('an id that runs is not added again, also by its own handler', async (t, queues) => {
    const { passed, open } = gate()
    const recorder = new Recorder(async (id) => {
      if (id !== 'runs') return 'done'
      await queue.add('runs')
      await passed
      return 'done'
    })
    const queue = openQueue(queues, recorder.handler, { concurrency: 2 })
    await queue.add('runs')
    await recorder.untilBegun(1)
    await queue.add('runs')
    await queue.add('marker')
    await recorder.untilEnded(1)
    open()
    await recorder.untilEnded(2)
    await queue.add('afterwards')
    await recorder.untilEnded(3)
    t.is(recorder.runsOf('runs'), 1)
  })

  rule('an id that waits out its delay is not added again, and is not hurried', async (t, queues) => {
    const recorder = new Recorder()
    const queue = openQueue(queues, recorder.handler)
    await queue.add('delayed', 1_000)
    await queue.add('delayed')
    await queue.add('at once')
    await recorder.untilEnded(2)
    t.deepEqual(recorder.begun, ['at once', 'delayed'])
  })

  rule('an id whose job is done may be used again', async (t, queues) => {
    const recorder = new Recorder()
    const queue = openQueue(queues, recorder.handler)
    for (let run = 1; run <= 3; run++) {
      // A job is done a moment after its handler is, so what is added at once may still be refused as running.
      while (recorder.begun.length < run) {
        await queue.add('again')
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      await recorder.untilEnded(run)
    }
    t.is(recorder.runsOf('again'), 3)
  })

  rule('a delay that is none is a bug of the caller', async (t, queues) => {
    const recorder = new Recorder()
    const queue = openQueue(queues, recorder.handler)
    for (const delayMs of [-1, 0.5, Number.NaN, Infinity, DELAY_MS_MAX + 1]) {
      await t.throwsAsync(queue.add('never', delayMs), { instanceOf: RangeError }, String(delayMs))
    }
    await queue.add('in a day', DELAY_MS_MAX)
    await queue.add('at once')
    await recorder.untilEnded(1)
    t.deepEqual(recorder.begun, ['at once'])
  })
}

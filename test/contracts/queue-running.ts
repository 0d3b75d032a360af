/** Rules of running: what is tried again, how often, how many at once. */
import type { JobOutcome } from '../../gateway/queue/queue.ts'
import { gate, Recorder } from './queue-recorder.ts'
import { openQueue, type Rule } from './queue.ts'

export function runningRules(rule: Rule): void {
  rule('a job that asks for it is run again until it is done', async (t, queues) => {
    const recorder = new Recorder(async (id) => (recorder.runsOf(id) < 6 ? 'retry' : 'done'))
    const queue = openQueue(queues, recorder.handler)
    await queue.add('stubborn')
    await recorder.untilEnded(6)
    await queue.add('afterwards')
    await recorder.untilEnded(7)
    t.is(recorder.runsOf('stubborn'), 6)
  })

  rule('a job that throws is run again', async (t, queues) => {
    const recorder = new Recorder(async (id) => {
      if (recorder.runsOf(id) < 3) throw new Error('a bug')
      return 'done'
    })
    const queue = openQueue(queues, recorder.handler)
    await queue.add('buggy')
    await recorder.untilEnded(3)
    await queue.add('afterwards')
    await recorder.untilEnded(6)
    t.is(recorder.runsOf('buggy'), 3)
  })

  const hopeless: Record<string, () => Promise<JobOutcome>> = {
    asks: async () => 'retry',
    throws: () => Promise.reject(new Error('a bug')),
  }
  for (const [how, work] of Object.entries(hopeless)) {
    rule(`a job that ${how} too often is dropped, and its id may be used again`, async (t, queues) => {
      const recorder = new Recorder(async (id) => (id === 'hopeless' ? work() : 'done'))
      const queue = openQueue(queues, recorder.handler, { attemptsMax: 3 })
      await queue.add('hopeless')
      await recorder.untilEnded(3)
      // Its pauses are shorter than this one's.
      await queue.add('marker', 100)
      await recorder.untilEnded(4)
      t.is(recorder.runsOf('hopeless'), 3)
      await queue.add('hopeless')
      await recorder.untilEnded(7)
      t.is(recorder.runsOf('hopeless'), 6)
    })
  }

  rule('a job that waits to run again leaves its place to others', async (t, queues) => {
    const recorder = new Recorder(async (id) => (id === 'patient' && recorder.runsOf(id) < 2 ? 'retry' : 'done'))
    const queue = openQueue(queues, recorder.handler, { backOff: { firstMs: 1_000, maxMs: 1_000 } })
    await queue.add('patient')
    for (const id of ['a', 'b', 'c']) await queue.add(id)
    await recorder.untilEnded(5)
    t.deepEqual(recorder.begun, ['patient', 'a', 'b', 'c', 'patient'])
  })

  rule('as many run at once as the queue says, and no more', async (t, queues) => {
    const { passed, open } = gate()
    const recorder = new Recorder(async () => {
      await passed
      return 'done'
    })
    const queue = openQueue(queues, recorder.handler, { concurrency: 3 })
    await Promise.all(Array.from({ length: 20 }, (_, i) => queue.add(`job ${i}`)))
    await recorder.untilBegun(3)
    open()
    await recorder.untilEnded(20)
    t.is(recorder.runningMost, 3)
  })

  rule('one queue does not hold up another, and an id in two queues is two jobs', async (t, queues) => {
    const { passed, open } = gate()
    const blocked = new Recorder(async () => {
      await passed
      return 'done'
    })
    const free = new Recorder()
    const first = openQueue(queues, blocked.handler)
    const second = openQueue(queues, free.handler, { name: 'contract-other' })
    await first.add('same')
    await first.add('held up')
    await second.add('same')
    await free.untilEnded(1)
    await blocked.untilBegun(1)
    t.deepEqual([blocked.begun, blocked.ended, free.ended], [['same'], [], ['same']])
    open()
    await blocked.untilEnded(2)
  })
}

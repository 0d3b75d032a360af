/** Rules of `close`. */
import { QueueUnavailableError } from '../../gateway/queue/queue.ts'
import { gate, Recorder } from './queue-recorder.ts'
import { openQueue, type Rule } from './queue.ts'

export function closingRules(rule: Rule): void {
  rule('close waits for the jobs that run and starts no other', async (t, queues) => {
    const { passed, open } = gate()
    const recorder = new Recorder(async () => {
      await passed
      return 'retry'
    })
    const queue = openQueue(queues, recorder.handler, { concurrency: 2 })
    for (const id of ['a', 'b', 'c']) await queue.add(id)
    await queue.add('delayed', 1)
    await recorder.untilBegun(2)
    let closed = false
    const closing = queues.close().then(() => (closed = true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.false(closed, 'two jobs are running')
    open()
    await closing
    t.deepEqual(recorder.ended.toSorted(), ['a', 'b'])
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.is(recorder.begun.length, 2, 'nothing is started or run again')
  })

  rule('a closed queue takes no job', async (t, queues) => {
    const recorder = new Recorder()
    const queue = openQueue(queues, recorder.handler)
    await t.notThrowsAsync(queues.ready())
    await queues.close()
    await t.throwsAsync(queues.ready(), { instanceOf: QueueUnavailableError })
    await t.throwsAsync(queue.add('late'), { instanceOf: QueueUnavailableError })
    await t.notThrowsAsync(queues.close(), 'closing twice')
    t.deepEqual(recorder.begun, [])
  })
}

/** Runs the queue contract over every adapter. A new adapter is one entry in `queue-adapters.ts`. */
import test from 'ava'
import { pauseMs } from '../../gateway/queue/queue.ts'
import { queueAdapters } from './queue-adapters.ts'
import { queueContract } from './queue.ts'

for (const adapter of queueAdapters(test)) queueContract(test, adapter)

test('pauses double from the first up to the longest, however many', (t) => {
  const spec = { name: 'x', concurrency: 1, attemptsMax: Infinity, backOff: { firstMs: 50, maxMs: 5_000 } }
  const pauses = [1, 2, 3, 4, 7, 8, 9, 2_000].map((attempts) => pauseMs(spec, attempts))
  t.deepEqual(pauses, [50, 100, 200, 400, 3_200, 5_000, 5_000, 5_000])
})

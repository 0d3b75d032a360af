/** The contract of the queue port: `queueContract` declares one ava test per rule, for any adapter. */
import type { ExecutionContext, TestFn } from 'ava'
import type { JobHandler, Queue, Queues, QueueSpec } from '../../gateway/queue/queue.ts'
import { addingRules } from './queue-adding.ts'
import { closingRules } from './queue-closing.ts'
import { runningRules } from './queue-running.ts'

/** One adapter under test. `open` gives queues without any job; the suite closes them. */
export interface QueueAdapter {
  readonly name: string
  /** What other rules do at the same time must not be taken for a Redis that is away. */
  readonly oneByOne?: boolean
  open(): Promise<Queues>
}

/** Declares one rule of the contract; its body is given queues without any job. */
export type Rule = (title: string, body: (t: ExecutionContext, queues: Queues) => Promise<void>) => void

/** A queue that tries at once and without end, unless a rule wants it otherwise. */
export function openQueue(queues: Queues, handler: JobHandler, members: Partial<QueueSpec> = {}): Queue {
  const backOff = { firstMs: 1, maxMs: 4 }
  return queues.open({ name: 'contract', concurrency: 1, attemptsMax: Infinity, backOff, ...members }, handler)
}

export function queueContract(test: TestFn, adapter: QueueAdapter): void {
  const rule: Rule = (title, body) => {
    const declare = adapter.oneByOne === true ? test.serial : test
    declare(`${adapter.name}: ${title}`, async (t) => {
      const queues = await adapter.open()
      try {
        await body(t, queues)
      } finally {
        await queues.close()
      }
    })
  }
  addingRules(rule)
  runningRules(rule)
  closingRules(rule)
}

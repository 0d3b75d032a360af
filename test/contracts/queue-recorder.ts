/** A handler that writes down what it was called with, and lets a test wait for it. */
import type { JobHandler, JobOutcome } from '../../gateway/queue/queue.ts'
import { until } from '../support/processes.ts'

export class Recorder {
  /** Ids in the order in which their runs began. */
  readonly begun: string[] = []
  /** Ids in the order in which their runs ended. */
  readonly ended: string[] = []
  runningNow = 0
  runningMost = 0
  private readonly work: JobHandler

  /** @param work What a job does; done at once unless given. */
  constructor(work: JobHandler = async () => 'done') {
    this.work = work
  }

  readonly handler = async (id: string): Promise<JobOutcome> => {
    this.begun.push(id)
    this.runningMost = Math.max(this.runningMost, ++this.runningNow)
    try {
      return await this.work(id)
    } finally {
      this.runningNow--
      this.ended.push(id)
    }
  }

  runsOf(id: string): number {
    return this.begun.filter((each) => each === id).length
  }

  untilBegun(count: number): Promise<void> {
    return until(`${count} runs`, () => this.begun.length >= count)
  }

  untilEnded(count: number): Promise<void> {
    return until(`the end of ${count} runs`, () => this.ended.length >= count)
  }
}

/** Work that waits until the test lets it go on. */
export function gate(): { passed: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

/**
 * The queue port: work that is tried until it is done.
 *
 * The store is the truth, the queue is a hint. A job is the id of a document and nothing more; whoever handles it reads
 * the document and does what its state asks for. So a job may be lost or run twice, and an emptied queue costs time and
 * never correctness: jobs are rebuilt from the documents that are not at their end.
 */

/** A named queue declared as data, beside its handler. */
export interface QueueSpec {
  /** kebab-case. */
  readonly name: string
  /** Most jobs of this queue that run at once, in one process. */
  readonly concurrency: number
  /** Runs of one job before it is dropped; Infinity: until it is done. */
  readonly attemptsMax: number
  /** Pause after the first run, doubled after each further one up to the longest. */
  readonly backOff: { readonly firstMs: number; readonly maxMs: number }
}

/** `retry`: nothing went wrong, but the job is not done and is to run again after its pause. */
export type JobOutcome = 'done' | 'retry'

/** @param id Of the document. An exception counts as `retry` and is logged as a bug. */
export type JobHandler = (id: string) => Promise<JobOutcome>

export interface Queue {
  /**
   * Adds a job, first in, first out. Nothing happens while a job of this id waits or runs; once that is done or
   * dropped, the id may be used again.
   * @param id Any document id.
   * @param delayMs 0 to DELAY_MS_MAX.
   * @throws {QueueUnavailableError}
   */
  add(id: string, delayMs?: number): Promise<void>
}

export interface Queues {
  /** Whether jobs are handled by this process. If not, it only adds them, and others have to be running. */
  readonly handlesJobs: boolean
  /** Whether a job may run in another process, or be lost. If not, whoever has added it handles it until it is done. */
  readonly isShared: boolean
  /** @param handler Of the queue's jobs from now on, if they are handled here. Each name is opened once. */
  open(spec: QueueSpec, handler: JobHandler): Queue
  /** A round trip for readiness probes. @throws {QueueUnavailableError} */
  ready(): Promise<void>
  /** Starts no further job and waits for those that run. Later calls of `add` throw QueueUnavailableError. */
  close(): Promise<void>
}

/** The queue cannot be reached. The document still says what is to be done. */
export class QueueUnavailableError extends Error {
  override name = 'QueueUnavailableError'
}

/** Longest delay of a job, a day: timers of Node fire at once beyond 2^31 - 1 ms. */
export const DELAY_MS_MAX = 86_400_000

/** @throws {RangeError} for a delay that the port does not allow, which is a bug of the caller. */
export function checkDelay(delayMs: number): void {
  if (!Number.isSafeInteger(delayMs) || delayMs < 0 || delayMs > DELAY_MS_MAX) throw new RangeError('delay of a job')
}

/** The pause after so many runs of a job. @param attempts 1 or more. */
export function pauseMs({ backOff: { firstMs, maxMs } }: QueueSpec, attempts: number): number {
  return Math.min(firstMs * 2 ** (attempts - 1), maxMs)
}

/**
 * Each measurement runs in a process of its own, so that none is slowed by what another left behind. This is both
 * ends of it, and the place that knows what must be cleaned up.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Worker<Answer> {
  pid: number
  answer: Answer
  stop: () => Promise<void>
}

/** The child's end: does one job and lives until its parent lets go, so that it can also be a server. */
export function answerJob(work: (job: never) => Promise<object>): void {
  process.once('disconnect', () => process.exit(0))
  process.once('message', (job) => void work(job as never).then((answer) => process.send?.(answer)))
}

const leftovers = new Set<() => unknown>()
let cleaning: Promise<void> | undefined

/** Everything still to be ended or deleted, last first. Also after Ctrl-C, hence at most once. */
export function cleanUp(): Promise<void> {
  cleaning ??= (async () => {
    for (const end of [...leftovers].toReversed()) await end()
  })()
  return cleaning
}

/** To be called before anything is started that must be ended. @throws when it is too late for that. */
export function refuseWhileCleaning(): void {
  if (cleaning !== undefined) throw new Error('interrupted')
}

/** Has `end` called by `cleanUp`, unless the function returned was called before. */
export function endLater<T>(end: () => T): () => T {
  const endNow = () => {
    leftovers.delete(endNow)
    return end()
  }
  leftovers.add(endNow)
  return endNow
}

/** Short, because a unix socket's path has at most 107 bytes. */
export function newFolder(): { path: string; remove: () => void } {
  refuseWhileCleaning()
  const path = mkdtempSync(join(tmpdir(), 'ks-bench-'))
  return { path, remove: endLater(() => rmSync(path, { recursive: true, force: true })) }
}

/** @param script File name in `bench/`. */
export async function startWorker<Answer>(script: string, job: object): Promise<Worker<Answer>> {
  refuseWhileCleaning()
  const child = fork(join(import.meta.dirname, script), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const stop = endLater(async () => {
    if (child.connected) child.disconnect()
    await ended
  })
  child.send(job)
  const answer = await Promise.race([answerOf<Answer>(child), ended.then(() => undefined)])
  if (answer === undefined) throw new Error(`${script} ended without an answer`)
  return { pid: child.pid as number, answer, stop }
}

export async function inWorker<Answer>(script: string, job: object): Promise<Answer> {
  const { answer, stop } = await startWorker<Answer>(script, job)
  await stop()
  return answer
}

function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as Answer)))
}

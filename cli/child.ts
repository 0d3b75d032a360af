import { spawn, type ChildProcess } from 'node:child_process'
import { basename } from 'node:path'

export interface Child<Ready> {
  process: ChildProcess
  ready: Ready
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>
}

/** A process of ours ended before it was ready. What has an exit code has said why itself; a signal says nothing. */
export class ChildEndedError extends Error {
  override name = 'ChildEndedError'
  readonly exitCode: number | null
  constructor(script: string, exitCode: number | null) {
    super(`${basename(script)} ended before it was ready`)
    this.exitCode = exitCode
  }
}

/**
 * Starts one of our processes and waits until it says over IPC that it is ready. It ends by itself when this process
 * is gone. No process of ours may leave a core file: it would hold what the process knew.
 * @throws {ChildEndedError}
 */
export async function startChild<Ready>(script: string, environment: NodeJS.ProcessEnv): Promise<Child<Ready>> {
  // SIGUSR1 would open an inspector, which reads all of a process's memory.
  const command = ['-c', 'ulimit -c 0; exec "$@"', 'sh', process.execPath, '--disable-sigusr1', script]
  const child = spawn('/bin/sh', command, { env: environment, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = new Promise<Ready>((resolve) => child.once('message', (message) => resolve(message as Ready)))
  const first = await Promise.race([ready, ended])
  if (first === undefined) throw new ChildEndedError(script, child.exitCode)
  return { process: child, ready: first, ended }
}

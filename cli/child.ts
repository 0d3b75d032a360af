import { spawn, type ChildProcess } from 'node:child_process'

export interface Child<Ready> {
  process: ChildProcess
  ready: Ready
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>
}

/**
 * Starts one of our processes and waits until it says over IPC that it is ready. It ends by itself when this process
 * is gone. No process of ours may leave a core file: it would hold what the process knew.
 */
export async function startChild<Ready>(script: string, environment: NodeJS.ProcessEnv): Promise<Child<Ready>> {
  // SIGUSR1 would open an inspector, which reads all of a process's memory.
  const command = ['-c', 'ulimit -c 0; exec "$@"', 'sh', process.execPath, '--disable-sigusr1', script]
  const child = spawn('/bin/sh', command, { env: environment, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = new Promise<Ready>((resolve) => child.once('message', (message) => resolve(message as Ready)))
  const first = await Promise.race([ready, ended])
  if (first === undefined) throw new Error(`${script} ended before it was ready`)
  return { process: child, ready: first, ended }
}

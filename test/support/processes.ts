/** The processes of a running service, from /proc. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf, isAlive } from './launcher.ts'
import type { Service } from './service.ts'

export interface Processes {
  cli: number
  gateway: number | undefined
  launcher: number | undefined
  /** The signer hosts themselves, not what wraps them. */
  hosts: number[]
  /** All of them, with whatever stands between launcher and hosts. */
  all: number[]
}

export function processesOf({ process: { pid: cli = 0 } }: Service): Processes {
  const descendants = descendantsOf(cli)
  const running = (script: string) => descendants.find((pid) => commandOf(pid).some((each) => each.endsWith(script)))
  const hosts = descendants.filter((pid) => {
    const [program = '', ...rest] = commandOf(pid)
    return program.endsWith('/node') && rest.includes('host.mjs')
  })
  return {
    cli,
    gateway: running('gateway/main.ts'),
    launcher: running('launcher/main.ts'),
    hosts,
    all: [cli, ...descendants],
  }
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Sends the signal to whichever of them still live. */
export function killAll(pids: number[], signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** @throws when the condition does not come true in time. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const givesUpAtMs = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > givesUpAtMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleep(10)
  }
}

/** Until it does not throw any more. */
export function untilItWorks(what: string, work: () => Promise<unknown>): Promise<void> {
  return until(what, () =>
    work().then(
      () => true,
      () => false,
    ),
  )
}

export function untilEnded(pids: number[]): Promise<void> {
  return until(`the end of ${pids.join(', ')}`, () => !pids.some(isAlive))
}

/** A port that is free now, for a service that must come back on it. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/**
 * How a host is started: Node's permission model always, bubblewrap and seccomp where they work. What each wall keeps
 * in is tried by test/fault/host-sandbox.test.ts.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { log } from './log.ts'
import { seccompProgram } from './seccomp.ts'

export type SandboxKind = 'bwrap+seccomp' | 'bwrap' | 'none'
export interface Sandbox {
  kind: SandboxKind
  /** Path of bubblewrap. */
  bwrap?: string
}

const SECCOMP_FD = 5
const PROBE_DEADLINE_MS = 5_000
/** uid and gid `nobody`: inside the namespace only, the kernel still sees the launcher's. */
const NOBODY = '65534'

/**
 * Starts Node on `tail` with nothing but `directory` to read, from which it must drop even that. Fds 3 and 4 are
 * sockets to us. Detached, so that Ctrl-C in a terminal ends the launcher and lets a host finish its call.
 */
export function spawnSandboxed(sandbox: Sandbox, directory: string, tail: string[]): ChildProcess {
  const { kind, bwrap } = sandbox
  const command =
    kind === 'none' || bwrap === undefined
      ? [process.execPath, ...nodeFlags(directory), ...tail]
      : [bwrap, ...bwrapFlags(kind, directory), '/app/node', ...nodeFlags('/app/signer'), ...tail]
  const filter = kind === 'bwrap+seccomp' ? (['pipe'] as const) : []
  const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$@"', 'sh', ...command], {
    cwd: directory,
    env: {},
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe', ...filter],
  })
  // Typed as a tuple of five, but as long as `stdio` above.
  const program = (child.stdio as readonly unknown[])[SECCOMP_FD] as Writable | undefined
  // Without its program bubblewrap starts nothing, so a broken pipe shows as the end of the process.
  program?.on('error', () => {}).end(seccompProgram())
  return child
}

function nodeFlags(directory: string): string[] {
  return [
    '--permission',
    `--allow-fs-read=${directory}`,
    '--no-addons',
    // The permission model does not cover node:sqlite, which opens any file.
    '--no-experimental-sqlite',
    '--no-experimental-ffi',
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    '--disable-sigusr1',
    // 32 MiB for each linear memory; the guest sees a failed allocation.
    '--wasm-max-mem-pages=512',
    '--max-old-space-size=128',
  ]
}

function bwrapFlags(kind: SandboxKind, directory: string): string[] {
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    ...['--cap-drop', 'ALL'],
    ...['--ro-bind', directory, '/app/signer'],
    ...['--ro-bind', process.execPath, '/app/node'],
    ...librariesOfNode().flatMap((path) => ['--ro-bind', path, path]),
    ...['--remount-ro', '/'],
    ...['--chdir', '/app/signer'],
    ...['--uid', NOBODY, '--gid', NOBODY],
    ...(kind === 'bwrap+seccomp' ? ['--seccomp', String(SECCOMP_FD)] : []),
  ]
}

let libraries: string[] | undefined

/** The shared libraries and the loader that this process runs on; the host runs on the same binary. */
function librariesOfNode(): string[] {
  if (libraries !== undefined) return libraries
  const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] }
  libraries = sharedObjects.filter((path) => path.startsWith('/'))
  return libraries
}

/** Tries once what this machine allows, from the strongest down, and says loudly what is missing. */
export async function chooseSandbox(path: string, directory: string): Promise<Sandbox> {
  const bwrap = process.platform === 'linux' ? findOnPath('bwrap', path) : undefined
  const kinds: SandboxKind[] = process.arch === 'x64' ? ['bwrap+seccomp', 'bwrap'] : ['bwrap']
  const candidates: Sandbox[] = bwrap === undefined ? [] : kinds.map((kind) => ({ kind, bwrap }))
  for (const sandbox of candidates) if (await works(sandbox, directory)) return warned(sandbox)
  return warned({ kind: 'none' })
}

async function works(sandbox: Sandbox, directory: string): Promise<boolean> {
  const child = spawnSandboxed(sandbox, directory, ['-e', '0'])
  const timer = setTimeout(() => child.kill('SIGKILL'), PROBE_DEADLINE_MS)
  try {
    const [code] = await once(child, 'exit')
    return code === 0
  } catch {
    return false
  } finally {
    clearTimeout(timer)
    for (const stream of child.stdio) stream?.destroy()
  }
}

function warned(sandbox: Sandbox): Sandbox {
  if (sandbox.kind === 'none') {
    log('warn', 'sandbox_missing', {
      message:
        'THE SIGNER RUNS WITHOUT A SANDBOX: bubblewrap (bwrap) is not installed or not allowed to make namespaces. ' +
        "Only Node's permission model stands between a broken signer and this machine.",
    })
  }
  if (sandbox.kind === 'bwrap') {
    log('warn', 'seccomp_missing', { message: 'The signer runs without a system call filter: only x86_64 has one.' })
  }
  return sandbox
}

function findOnPath(name: string, path: string): string | undefined {
  const isExecutable = (candidate: string) => {
    try {
      accessSync(candidate, constants.X_OK)
      return true
    } catch {
      return false
    }
  }
  // A relative entry would depend on where we were started.
  return path
    .split(':')
    .filter((each) => each.startsWith('/'))
    .map((each) => join(each, name))
    .find(isExecutable)
}

/** A real launcher process on a data directory of its own, and a client that speaks frames to it. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFrame, FrameReader, type Frame, type FrameKind } from '../../signer-core/protocol/frames.ts'

const MAIN = join(import.meta.dirname, '../../signer-core/launcher/main.ts')
const READY_WITHIN_MS = 60_000

export interface LauncherReady {
  ready: true
  sandbox: 'bwrap+seccomp' | 'bwrap' | 'none'
  hosts: number
  engine: 'fast' | 'reference'
  componentDigest: string
}

export interface Launcher {
  process: ChildProcess
  pid: number
  dataDir: string
  ready: LauncherReady
  /** Everything on stderr so far. */
  log: () => string
  /** Processes that run the host, by the command line of the innermost one. */
  hostPids: () => number[]
  /** To the gateway's socket, or to the operator's. */
  connect: (socket?: 'gateway' | 'operator') => Promise<FrameClient>
  /** SIGTERM and wait. @returns the exit code. */
  stop: () => Promise<number | null>
}

export interface LauncherOptions {
  dataDir?: string
  /** `KEYSTEAD_*`, and `PATH` for a launcher that is not to find bubblewrap. */
  environment?: Record<string, string>
}

export interface FrameClient {
  socket: Socket
  /** Sends one call and waits for the frame that answers it. Rejects when the connection ends before. */
  call: (payload: unknown, kind?: FrameKind) => Promise<Said>
  close: () => void
}

export interface Said {
  kind: FrameKind
  // Tests look into answers of every kind.
  // oxlint-disable-next-line typescript/no-explicit-any
  value: any
}

/** Starts a launcher and waits until it is ready. @throws with its log when it ends before. */
export async function startLauncher({
  dataDir = makeDataDir(),
  environment = {},
}: LauncherOptions = {}): Promise<Launcher> {
  const { child, log } = forkLauncher(dataDir, environment)
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS)
  const ready = await Promise.race([
    once(child, 'message').then(([message]) => message as LauncherReady),
    once(child, 'close').then(() => undefined),
  ])
  clearTimeout(timer)
  if (ready === undefined) throw new Error(`the launcher did not start:\n${log()}`)
  const socketPaths = { gateway: join(dataDir, 'signer.sock'), operator: join(dataDir, 'signer/operator.sock') }
  return {
    process: child,
    pid: child.pid as number,
    dataDir,
    ready,
    log,
    hostPids: () => descendantsOf(child.pid as number).filter(isHost),
    connect: (socket = 'gateway') => connectFrames(socketPaths[socket]),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill('SIGTERM')
      return (await once(child, 'exit'))[0]
    },
  }
}

/** Runs a launcher that is expected to refuse to start. */
export async function runLauncher({ dataDir = makeDataDir(), environment = {} }: LauncherOptions = {}) {
  const { child, log } = forkLauncher(dataDir, environment)
  const [code] = await once(child, 'close')
  return { code: code as number | null, log: log() }
}

/** Short, because a socket path has at most 107 bytes. */
export function makeDataDir(): string {
  const path = mkdtempSync(join(tmpdir(), 'ks-'))
  if (madeDirs.length === 0) process.once('exit', removeMadeDirs)
  madeDirs.push(path)
  return path
}

const madeDirs: string[] = []
function removeMadeDirs(): void {
  for (const path of madeDirs) rmSync(path, { recursive: true, force: true })
}

export async function connectFrames(path: string): Promise<FrameClient> {
  const socket = connect(path)
  await once(socket, 'connect')
  const waiting = new Map<number, { resolve: (said: Said) => void; reject: (error: Error) => void }>()
  const reader = new FrameReader()
  let lastCallId = 0
  socket.on('data', (chunk: Buffer) => {
    for (const { callId, kind, payload } of reader.push(chunk)) {
      waiting.get(callId)?.resolve({ kind, value: JSON.parse(Buffer.from(payload).toString()) })
      waiting.delete(callId)
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('connection closed'))
  })
  const call = (payload: unknown, kind: FrameKind = 'activity') =>
    new Promise<Said>((resolve, reject) => {
      const callId = ++lastCallId
      waiting.set(callId, { resolve, reject })
      const frame: Frame = { callId, kind, payload: Buffer.from(JSON.stringify(payload)) }
      socket.write(encodeFrame(frame))
    })
  return { socket, call, close: () => socket.destroy() }
}

/** Process ids below `pid`, from /proc: children, their children and so on. */
export function descendantsOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => parentOf(name) === pid)
    .map(Number)
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

export function isAlive(pid: number): boolean {
  const stat = statOf(pid)
  return stat !== undefined && !stat.startsWith('Z')
}

/** @returns those that are still alive after half a minute. */
export async function stillAlive(pids: number[]): Promise<number[]> {
  const endsAtMs = performance.now() + 30_000
  while (pids.some(isAlive) && performance.now() < endsAtMs) await sleep(20)
  return pids.filter(isAlive)
}

function forkLauncher(dataDir: string, environment: Record<string, string>) {
  const { PATH = '', KEYSTEAD_SIGNER_ENGINE = 'auto' } = process.env
  const env = { PATH, KEYSTEAD_SIGNER_ENGINE, KEYSTEAD_DATA_DIR: dataDir, ...environment }
  const execArgv = ['--disable-sigusr1']
  const child = fork(MAIN, [], { env, execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return { child, log: () => text }
}

function isHost(pid: number): boolean {
  try {
    const [program] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return program?.endsWith('/node') === true
  } catch {
    return false
  }
}

function parentOf(pid: string): number | undefined {
  if (!/^[0-9]+$/.test(pid)) return undefined
  const parent = statOf(Number(pid))?.split(' ')[1]
  return parent === undefined ? undefined : Number(parent)
}

/** State, parent and the rest of /proc/<pid>/stat after the name, which may hold anything. */
function statOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2)
  } catch {
    return undefined
  }
}

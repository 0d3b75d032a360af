/** A database server as a process of the test's own: on a free port, in a folder that goes with it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, existsSync, readFileSync, openSync, closeSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'
import { freePort, until } from './processes.ts'

export interface ServerCommand {
  program: string
  parameters: string[]
  /** Beyond that it takes connections. */
  isUp?: () => Promise<boolean>
}

export class ServerProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'ks-server-'))
  readonly port: number
  private readonly command: ServerCommand
  private child: ChildProcess | undefined

  private constructor(port: number, commandOf: (port: number, folder: string) => ServerCommand) {
    this.port = port
    this.command = commandOf(port, this.folder)
    process.once('exit', () => this.child?.kill('SIGKILL'))
  }

  /** Starts it on a port that stays its own, and waits until it answers. */
  static async start(commandOf: (port: number, folder: string) => ServerCommand): Promise<ServerProcess> {
    const server = new ServerProcess(await freePort(), commandOf)
    await server.start()
    return server
  }

  get pid(): number {
    return this.child?.pid ?? 0
  }

  /** Starts it again, on the same port and the same files. */
  async start(): Promise<void> {
    const { program, parameters, isUp } = this.command
    const log = openSync(join(this.folder, 'log'), 'a', 0o600)
    const child = spawn(program, parameters, { stdio: ['ignore', log, log], cwd: this.folder })
    closeSync(log)
    this.child = child
    await until(`${program} on port ${this.port}`, async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} ended:\n${this.log()}`)
      return (await takesConnections(this.port)) && (isUp === undefined || (await isUp()))
    })
  }

  /** SIGKILL unless told, and the end of it. The files stay. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  /** Lets it stand still and go on, as a machine does that is short of everything. */
  pause(): void {
    this.child?.kill('SIGSTOP')
  }

  resume(): void {
    this.child?.kill('SIGCONT')
  }

  async dispose(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8').slice(-4_000)
  }
}

function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).then((taken) => {
    socket.destroy()
    return taken as boolean
  })
}

export function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

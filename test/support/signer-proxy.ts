/** Stands between a real gateway and a real launcher: sees every call and every answer, and may change the calls. */
import { renameSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { encodeFrame, FrameReader } from '../../signer-core/protocol/frames.ts'
import type { Answer, Outcome, PerformCall } from '../../signer-core/protocol/messages.ts'
import { connectFrames } from './launcher.ts'

export type Tamper = (call: PerformCall) => PerformCall | Promise<PerformCall>

export class SignerProxy {
  /** Every call, as the gateway sent it. */
  readonly calls: PerformCall[] = []
  /** Every answer of the signer to what went on to it. */
  readonly answers: Answer<Outcome>[] = []
  /** What becomes of a call; nothing unless a test sets it. */
  tamper: Tamper = (call) => call
  private readonly launcherPath: string
  private readonly server: Server
  private readonly sockets = new Set<Socket>()

  private constructor(launcherPath: string) {
    this.launcherPath = launcherPath
    this.server = createServer((gateway) => this.serve(gateway))
  }

  /** Takes the place of the launcher's socket in `dataDir`; the launcher is reached under another name. */
  static async listen(dataDir: string): Promise<SignerProxy> {
    const path = join(dataDir, 'signer.sock')
    const proxy = new SignerProxy(join(dataDir, 'launcher.sock'))
    renameSync(path, proxy.launcherPath)
    await new Promise<void>((resolve) => proxy.server.listen(path, resolve))
    return proxy
  }

  /**
   * What the signer says to this call, unseen by the gateway. Not in the gateway's session, which would lack the receipt
   * and ask once more.
   */
  async ask(call: PerformCall): Promise<Answer<Outcome>> {
    const alone = { ...call }
    delete alone.receipts
    const client = await connectFrames(this.launcherPath)
    const { value } = await client.call(alone)
    client.close()
    return value as Answer<Outcome>
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }

  private serve(gateway: Socket): void {
    const launcher = connect(this.launcherPath)
    for (const [socket, other] of [
      [gateway, launcher],
      [launcher, gateway],
    ] as const) {
      this.sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        this.sockets.delete(socket)
        other.destroy()
      })
    }
    const calls = new FrameReader()
    gateway.on('data', (chunk: Buffer) => {
      for (const frame of calls.push(chunk)) {
        const call = JSON.parse(Buffer.from(frame.payload).toString()) as PerformCall
        this.calls.push(call)
        void this.changed(call).then((payload) => launcher.write(encodeFrame({ ...frame, payload })))
      }
    })
    const answers = new FrameReader()
    launcher.on('data', (chunk: Buffer) => {
      for (const frame of answers.push(chunk)) {
        if (frame.kind === 'answer') this.answers.push(JSON.parse(Buffer.from(frame.payload).toString()))
        gateway.write(encodeFrame(frame))
      }
    })
  }

  private async changed(call: PerformCall): Promise<Uint8Array> {
    return Buffer.from(JSON.stringify(await this.tamper(structuredClone(call))))
  }
}

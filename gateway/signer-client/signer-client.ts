/**
 * The one way to the signer: a frame out over the launcher's unix socket, a frame back, one deadline. Whatever is no
 * answer is transient: nobody knows whether the signer acted, and the same call may be made again.
 */
import { connect, type Socket } from 'node:net'
import { encodeFrame, FrameReader, type Frame, type FrameKind } from '../../signer-core/protocol/frames.ts'
import type {
  PerformAnswer,
  PerformCall,
  SignerStatus,
  SimulateAnswer,
  SimulateCall,
  Transient,
} from '../../signer-core/protocol/messages.ts'

export class SignerUnavailableError extends Error {
  override name = 'SignerUnavailableError'
  /** The call itself may be why: it took too long, or its host went down with it. */
  readonly blamesCall: boolean
  constructor(reason: string, blamesCall = false) {
    super(`signer unavailable: ${reason}`)
    this.blamesCall = blamesCall
  }
}

export interface SignerClientOptions {
  socketPath: string
  /** Longer than the launcher's own deadline and queue together, so that the launcher's answer comes first. */
  deadlineMs: number
}

interface Pending {
  resolve(answer: unknown): void
  reject(error: SignerUnavailableError): void
  timer: NodeJS.Timeout
}

export class SignerClient {
  private readonly options: SignerClientOptions
  private readonly pending = new Map<number, Pending>()
  private socket: Promise<Socket> | undefined
  private lastCallId = 0

  constructor(options: SignerClientOptions) {
    this.options = options
  }

  /** @throws {SignerUnavailableError} when there was no decision. */
  async perform(call: PerformCall): Promise<PerformAnswer> {
    return (await this.call('activity', call)) as PerformAnswer
  }

  /** The decision alone: nothing is done. @throws {SignerUnavailableError} when there was none. */
  async simulate(call: SimulateCall): Promise<SimulateAnswer> {
    return (await this.call('activity', call)) as SimulateAnswer
  }

  /** What the launcher says of itself. @throws {SignerUnavailableError} when it does not answer. */
  async status(): Promise<SignerStatus> {
    return (await this.call('status', {})) as SignerStatus
  }

  close(): void {
    void this.socket?.then((socket) => socket.destroy()).catch(() => undefined)
    this.loseAll('closed')
  }

  private async call(kind: FrameKind, message: object): Promise<unknown> {
    const socket = await this.connection()
    const callId = (this.lastCallId = (this.lastCallId + 1) >>> 0)
    const payload = Buffer.from(JSON.stringify(message))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.take(callId)?.reject(new SignerUnavailableError('deadline')),
        this.options.deadlineMs,
      )
      this.pending.set(callId, { resolve, reject, timer })
      socket.write(encodeFrame({ callId, kind, payload }))
    })
  }

  private connection(): Promise<Socket> {
    this.socket ??= this.open()
    return this.socket
  }

  private open(): Promise<Socket> {
    const socket = connect(this.options.socketPath)
    const reader = new FrameReader()
    return new Promise((resolve, reject) => {
      const lose = () => {
        this.socket = undefined
        this.loseAll('connection lost')
        reject(new SignerUnavailableError('no connection'))
      }
      socket.once('connect', () => resolve(socket))
      // An error is always followed by close.
      socket.on('error', () => undefined)
      socket.once('close', lose)
      socket.on('data', (chunk: Buffer) => {
        try {
          for (const frame of reader.push(chunk)) this.receive(frame)
        } catch {
          socket.destroy()
        }
      })
    })
  }

  private receive({ callId, kind, payload }: Frame): void {
    const call = this.take(callId)
    if (call === undefined) return
    const message: unknown = JSON.parse(Buffer.from(payload).toString())
    if (kind === 'answer') call.resolve(message)
    else call.reject(lost(message as Transient))
  }

  private take(callId: number): Pending | undefined {
    const call = this.pending.get(callId)
    clearTimeout(call?.timer)
    this.pending.delete(callId)
    return call
  }

  private loseAll(reason: string): void {
    for (const callId of [...this.pending.keys()]) this.take(callId)?.reject(new SignerUnavailableError(reason))
  }
}

/** The launcher has killed the host, or seen it end: whatever it was doing is void. */
function lost({ reason }: Transient): SignerUnavailableError {
  return new SignerUnavailableError(reason, reason === 'deadline' || reason === 'host-lost')
}

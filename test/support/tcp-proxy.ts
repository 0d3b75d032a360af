/** Stands between a client and its server, byte for byte, and can cut or hold what goes through. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export class TcpProxy {
  /**
   * Looks at what clients send, after it went on to the server. `cut`: the connection is cut before any answer comes
   * back, so that the client cannot know whether it was done.
   */
  afterSending: (chunk: Buffer) => 'pass' | 'cut' = () => 'pass'
  /** How long each piece of an answer takes. */
  answerDelayMs = 0
  private readonly targets: number[]
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private next = 0
  private refusing = false

  private constructor(targets: number[]) {
    this.targets = targets
    this.server = createServer((client) => this.serve(client))
  }

  /** @param targets Ports of servers; connections go to each in turn. */
  static async listen(...targets: number[]): Promise<TcpProxy> {
    const proxy = new TcpProxy(targets)
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** Cuts every connection, and refuses new ones until `restore`. */
  interrupt(): void {
    this.refusing = true
    for (const socket of this.sockets) socket.destroy()
  }

  restore(): void {
    this.refusing = false
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }

  private serve(client: Socket): void {
    if (this.refusing) return void client.destroy()
    const port = this.targets[this.next++ % this.targets.length] as number
    const server = connect(port, '127.0.0.1')
    let cut = false
    this.join(client, server)
    this.join(server, client)
    client.on('data', (chunk: Buffer) => {
      cut ||= this.afterSending(chunk) === 'cut'
      server.write(chunk, () => {
        // The server has it; what it answers is not let through.
        if (cut) client.destroy()
      })
    })
    server.on('data', (chunk: Buffer) => {
      if (cut) return
      if (this.answerDelayMs === 0) client.write(chunk)
      else setTimeout(() => client.write(chunk), this.answerDelayMs)
    })
  }

  /**
   * Whatever ends one side ends the other, and wholly: a client that does not read while it is idle, as MongoDB's driver,
   * would write into a connection that is half open and wait. What was sent before still arrives.
   */
  private join(socket: Socket, other: Socket): void {
    this.sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.once('end', () => other.end())
    socket.once('close', () => {
      this.sockets.delete(socket)
      other.destroySoon()
    })
  }
}

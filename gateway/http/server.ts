import { createServer, STATUS_CODES, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import { ApiError, apiErrors, presentError, type ApiErrorCode } from './errors.ts'

/** Node's own limits are far longer and are looked at only every 30 s. */
const LIMITS = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // Looked for in the application, which can say so in JSON.
  requireHostHeader: false,
}

export async function listen(app: Koa, host: string, port: number): Promise<Server> {
  const handle = app.callback()
  const server = createServer(LIMITS, (request, response) => {
    // While we stop, nobody may go on asking over a connection that is kept alive.
    if (!server.listening) response.shouldKeepAlive = false
    void handle(request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseBelowHttp(error.code ?? '', socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  return server
}

/** What Node refuses before there is a request; everything else is a request that cannot be read. */
const belowHttp: Record<string, ApiErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** Clients parse every error as JSON, also those of which Node would say nothing but the status. */
function refuseBelowHttp(errorCode: string, socket: Duplex): void {
  if (errorCode === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = belowHttp[errorCode] ?? 'REQUEST_MALFORMED'
  const { status } = apiErrors[code]
  const body = JSON.stringify(presentError(new ApiError(code)))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

export function baseUrlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Takes no new request and lets the running ones end, within `graceMs`. */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}

/** An RPC endpoint in front of another one whose results a test bends as it likes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** @returns the result that is told instead. */
export type Bend = (call: RpcCall, result: unknown) => unknown

export async function startBentRpc(target: string, bend: Bend): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => void handle(request, response))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const call = JSON.parse(body) as RpcCall
    const headers = { 'Content-Type': 'application/json' }
    const answer = (await (await fetch(target, { method: 'POST', body, headers })).json()) as { result?: unknown }
    const told = 'error' in answer ? answer : { ...answer, result: bend(call, answer.result) }
    response.end(JSON.stringify(told))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  }
}

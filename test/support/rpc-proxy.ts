/** An RPC endpoint in front of another one, which answers as badly as real ones do, for each request as it is told. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type RpcFault =
  /** The request is passed on, the answer is lost. */
  | 'lost'
  /** The request is passed on, and never answered. */
  | 'hung'
  /** Passed on, and answered as nodes answer bytes that they have already. */
  | 'known'
  /** The same, once the bytes are in a block. */
  | 'used'
  /** As if the bytes were in a block; nothing is passed on. */
  | 'falsely-used'
  /** Nothing is passed on. */
  | 'refused'
  | 'overloaded'
  | 'delayed'
  | 'garbage'
  /** Says that there is nothing: no receipt, no block. */
  | 'null'
  /** A node that is behind: the head is an old one. */
  | 'stale'
  /** A receipt says the opposite of what happened. */
  | 'lying'
  /** A receipt says less gas than was used. */
  | 'cheaper'
  | 'wrong-chain'
  /** A node that is no archive: it says nothing of the state at a block that is named by its hash. */
  | 'pruned'

interface Call {
  id: number
  method: string
  params: unknown[]
}

export interface RpcProxy {
  url: string
  /** Requests so far that were answered badly. */
  faults: () => number
  close(): Promise<void>
}

const STALE_BLOCKS = 4n
/** As geth words them. */
const refusals: Partial<Record<RpcFault, string>> = {
  known: 'already known',
  used: 'nonce too low: next nonce 1, tx nonce 0',
  'falsely-used': 'nonce too low: next nonce 1, tx nonce 0',
  pruned: 'missing trie node 0xabc (path ) state 0xdef is not available',
}

/** @param faultOf What to do with a request; undefined: answer it well. */
export async function startRpcProxy(
  target: string,
  faultOf: (method: string) => RpcFault | undefined,
): Promise<RpcProxy> {
  let count = 0
  const server = createServer((request, response) => void handle(request, response))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const call = JSON.parse(Buffer.concat(parts).toString()) as Call
    const told = faultOf(call.method)
    const fault = told === 'pruned' && !call.params.some(namesBlock) ? undefined : told
    if (fault !== undefined) count++
    if (fault === 'refused') return void response.destroy()
    if (fault === 'overloaded') return void response.writeHead(429).end('slow down')
    if (fault === 'garbage') return void response.writeHead(200).end('<html>')
    const asked = fault === 'stale' ? await staled(target, call) : call
    const answer = fault === 'falsely-used' ? { jsonrpc: '2.0', id: call.id } : await ask(target, asked)
    if (fault === 'lost') return void response.destroy()
    if (fault === 'hung') return
    if (fault === 'delayed') await sleep(20)
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(bent(answer, call, fault)))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: () => count,
    close: () => closed(server),
  }
}

async function ask(target: string, call: Call): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...call })
  const response = await fetch(target, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
  return (await response.json()) as Record<string, unknown>
}

function namesBlock(parameter: unknown): boolean {
  return typeof parameter === 'object' && parameter !== null && 'blockHash' in parameter
}

/** Asks as if the last blocks were not there. */
async function staled(target: string, call: Call): Promise<Call> {
  if (!call.params.includes('latest')) return call
  const { result } = await ask(target, { id: 0, method: 'eth_blockNumber', params: [] })
  const head = BigInt(result as string)
  const old = `0x${(head > STALE_BLOCKS ? head - STALE_BLOCKS : 0n).toString(16)}`
  return { ...call, params: call.params.map((each) => (each === 'latest' ? old : each)) }
}

function bent(answer: Record<string, unknown>, { method }: Call, fault: RpcFault | undefined): unknown {
  const refusal = fault && refusals[fault]
  if (refusal !== undefined) return { jsonrpc: '2.0', id: answer['id'], error: { code: -32_000, message: refusal } }
  if (fault === 'null') return { ...answer, result: null }
  if (fault === 'wrong-chain' && method === 'eth_chainId') return { ...answer, result: '0x1' }
  const receipt = answer['result'] as { status?: string } | null
  if (method !== 'eth_getTransactionReceipt' || !receipt) return answer
  if (fault === 'cheaper') return { ...answer, result: { ...receipt, gasUsed: '0x5208' } }
  if (fault !== 'lying') return answer
  const status = receipt.status === '0x1' ? '0x0' : '0x1'
  return { ...answer, result: { ...receipt, status } }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** Real logs: made by the built component as a host drives it, or exported from a running service. */
import { ReceiptChain } from '../../signer-core/host/receipt-chains.ts'
import { ReceiptKey } from '../../signer-core/host/receipt-key.ts'
import { Client } from './client.ts'
import { Bench, type GateRequest } from './component.ts'

const COMPONENT_DIGEST = new Uint8Array(32).fill(7)
const START_MS = 1_700_000_000_000

export interface LogLine {
  receiptId: string
  text: string
  signature: string
  body?: string
  result?: string
}

export interface ReceiptFacts {
  activityId: string
  outcome: string
  resultDigest?: string
  sequence: number
  previous: string
  chain: { chainId: string; startedAtMs: number }
}

/** A chain that the component extends, as in one host process. */
export class LogWriter {
  readonly chain: ReceiptChain
  private readonly bench: Bench
  private readonly receiptKey = new ReceiptKey()
  private nowMs: number

  constructor(bench: Bench, startedAtMs = START_MS) {
    this.bench = bench
    this.nowMs = startedAtMs
    this.chain = new ReceiptChain(BigInt(startedAtMs))
  }

  /** Has the component decide. @returns the line of the log; a refusal has no result. */
  decide(request: GateRequest): LogLine {
    const place = { ...this.chain.next(COMPONENT_DIGEST), receiptKey: this.receiptKey.publicKey }
    const whole = { ...request, nowMs: BigInt(++this.nowMs), place }
    const { receipt, result } = this.perform(whole)
    const { text } = receipt
    const signature = receipt.signature && Buffer.from(receipt.signature).toString('hex')
    const signed = { text, signature: signature ?? this.receiptKey.sign(text) }
    this.chain.append(signed)
    const receiptId = `${place.chainId}/${String(place.sequence).padStart(16, '0')}`
    return { receiptId, ...signed, body: request.body, ...(result !== undefined && { result }) }
  }

  private perform(request: GateRequest): { receipt: Receipt; result?: string } {
    try {
      const { receipt, result } = this.bench.component.gate.perform(request)
      return { receipt, result }
    } catch (error) {
      const { receipt } = (error as { payload: { receipt: Receipt } }).payload
      return { receipt }
    }
  }
}

type Receipt = ReturnType<Bench['component']['gate']['perform']>['receipt']

/** The file that `npm run export-log` would write of these lines. */
export function logFile(lines: LogLine[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** Everything that `list_receipts` shows. */
export async function exportedLines(client: Client): Promise<LogLine[]> {
  const lines: LogLine[] = []
  for (;;) {
    const paginationOptions = { limit: '100', after: lines.at(-1)?.receiptId }
    const { json } = await client.query('list_receipts', { paginationOptions, includeActivities: true })
    const { receipts } = json as { receipts: LogLine[] }
    if (receipts.length === 0) return lines
    lines.push(...receipts)
  }
}

export function factsOf(line: { text: string }): ReceiptFacts {
  return JSON.parse(line.text) as ReceiptFacts
}

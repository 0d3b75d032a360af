/** One JSON-RPC endpoint over HTTP. It may lie, lag, be silent or be overloaded; whoever asks has to know. */
import { z } from 'zod'
import { RpcUnavailableError } from '../chain.ts'

/** A node's no. The text may name amounts and addresses of the transaction; it must not leave the gateway. */
export class RpcRefusalError extends Error {
  override name = 'RpcRefusalError'
  readonly code: number
  /** Revert data and the like, as viem looks for it. */
  readonly data: unknown
  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** To its users such an endpoint is as good as none. */
export class WrongChainError extends RpcUnavailableError {
  override name = 'WrongChainError'
  constructor() {
    super('the endpoint is of another chain')
  }
}

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
})

/** What providers say when they mean "later": HTTP 429 in JSON. Neither is about the request. */
const LATER_CODES = new Set([-32_005, -32_097, 429])

/** An endpoint may begin to serve another chain: behind one address stands what its operator puts there. */
const CHECK_EVERY_MS = 3_600_000

export class RpcEndpoint {
  private readonly url: string
  private readonly chainId: number
  private readonly timeoutMs: number
  private checkedAtMs = -Infinity
  private lastId = 0

  constructor(url: string, chainId: number, timeoutMs: number) {
    this.url = url
    this.chainId = chainId
    this.timeoutMs = timeoutMs
  }

  /**
   * @throws {RpcRefusalError} the node's answer is an error.
   * @throws {RpcUnavailableError} no answer, or none that says anything: whatever was asked for may have been done.
   * @throws {WrongChainError} the endpoint serves another chain; nothing was asked of it.
   */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    if (performance.now() - this.checkedAtMs > CHECK_EVERY_MS) await this.checkChain()
    return this.ask(method, params)
  }

  /**
   * @throws {WrongChainError} it serves another.
   * @throws {RpcUnavailableError} it does not say: silence, null, a text or a no, which is not about what is asked next.
   */
  async checkChain(): Promise<void> {
    const said = await this.ask('eth_chainId', []).catch(unlessRefused)
    if (!isQuantity(said)) throw new RpcUnavailableError('the endpoint does not say its chain')
    if (BigInt(said) !== BigInt(this.chainId)) throw new WrongChainError()
    this.checkedAtMs = performance.now()
  }

  private async ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = answerSchema.safeParse(await this.exchange(method, params))
    if (!answer.success) throw new RpcUnavailableError('the answer is no JSON-RPC')
    const { result, error } = answer.data
    if (error === undefined) return result
    if (LATER_CODES.has(error.code)) throw new RpcUnavailableError('the endpoint is overloaded')
    throw new RpcRefusalError(error)
  }

  private async exchange(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.lastId, method, params })
    const headers = { 'Content-Type': 'application/json' }
    try {
      const signal = AbortSignal.timeout(this.timeoutMs)
      const response = await fetch(this.url, { method: 'POST', body, headers, signal })
      const text = await response.text()
      // Some nodes send their JSON-RPC errors with a status of 400.
      if (response.status === 429 || response.status >= 500) throw new RpcUnavailableError('the endpoint is overloaded')
      return JSON.parse(text)
    } catch (error) {
      if (error instanceof RpcUnavailableError) throw error
      // What fetch says may name the address, which may hold a key.
      throw new RpcUnavailableError('the endpoint gave no answer')
    }
  }
}

/** Ethereum JSON-RPC's form of a number, of at most 256 bits. */
function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof RpcRefusalError)) throw error
}

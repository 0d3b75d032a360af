/** The endpoints of one chain: the first that answers, or all that do. */
import { RpcUnavailableError } from '../chain.ts'
import { RpcEndpoint, RpcRefusalError, WrongChainError } from './endpoint.ts'

const TIMEOUT_MS = 10_000

/** What one endpoint said. */
export type Answer = { ok: true; result: unknown } | { ok: false; error: RpcRefusalError | RpcUnavailableError }

export class RpcPool {
  private readonly endpoints: readonly RpcEndpoint[]

  constructor(urls: readonly string[], chainId: number, timeoutMs = TIMEOUT_MS) {
    this.endpoints = urls.map((url) => new RpcEndpoint(url, chainId, timeoutMs))
  }

  get size(): number {
    return this.endpoints.length
  }

  /**
   * Asks each which chain it serves; one that gives no answer may come back.
   * @throws {WrongChainError} when one serves another.
   */
  async checkChain(): Promise<void> {
    await Promise.all(
      this.endpoints.map(async (endpoint) => {
        try {
          await endpoint.checkChain()
        } catch (error) {
          if (error instanceof WrongChainError || !(error instanceof RpcUnavailableError)) throw error
        }
      }),
    )
  }

  /**
   * Asks one after the other until one answers; a node's no is an answer.
   * @throws {RpcRefusalError} @throws {RpcUnavailableError} when none did.
   */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    for (const endpoint of this.endpoints) {
      try {
        return await endpoint.request(method, params)
      } catch (error) {
        if (!(error instanceof RpcUnavailableError)) throw error
      }
    }
    throw new RpcUnavailableError('no endpoint gave an answer')
  }

  /** Asks all of them at once. */
  all(method: string, params: readonly unknown[] = []): Promise<Answer[]> {
    return Promise.all(
      this.endpoints.map(async (endpoint): Promise<Answer> => {
        try {
          return { ok: true, result: await endpoint.request(method, params) }
        } catch (error) {
          if (error instanceof RpcUnavailableError || error instanceof RpcRefusalError) return { ok: false, error }
          throw error
        }
      }),
    )
  }
}

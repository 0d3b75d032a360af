/** The endpoints of one chain: the first that answers, or all that do. */
import { RpcUnavailableError } from '../chain.ts'
import { alikeText } from './alike.ts'
import { RpcEndpoint, RpcRefusalError, WrongChainError } from './endpoint.ts'
import { revertOf } from './revert.ts'

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
   * Asks one after the other until one answers. That a call reverts is an answer; any other no may be the endpoint's own
   * trouble, so the others are asked too.
   * @throws {RpcRefusalError} the first no, when none gave a result. @throws {RpcUnavailableError} when none said anything.
   */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    let refusal: RpcRefusalError | undefined
    for (const endpoint of this.endpoints) {
      try {
        return await endpoint.request(method, params)
      } catch (error) {
        if (error instanceof RpcRefusalError && revertOf(error) === undefined) refusal ??= error
        else if (!(error instanceof RpcUnavailableError)) throw error
      }
    }
    throw refusal ?? new RpcUnavailableError('no endpoint gave an answer')
  }

  /**
   * What two endpoints say alike, or the only one there is; a no that all give counts as said.
   * @throws {RpcRefusalError} @throws {RpcUnavailableError} when too few answered, or they contradict each other.
   */
  async agreed(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const answers = await this.all(method, params)
    const said = answers.filter((each) => each.ok || each.error instanceof RpcRefusalError)
    const [first] = said
    const isEnough =
      said.length >= Math.min(2, this.size) && new Set(said.map((each) => textOf(method, each))).size === 1
    if (first === undefined || !isEnough) throw new RpcUnavailableError('the endpoints do not agree')
    if (!first.ok) throw first.error
    return first.result
  }

  /** Asks all of them at once. */
  all(method: string, params: readonly unknown[] = []): Promise<Answer[]> {
    return Promise.all(this.each(method, params))
  }

  /** The same, for whom some of the answers are enough. */
  each(method: string, params: readonly unknown[] = []): Promise<Answer>[] {
    return this.endpoints.map(async (endpoint): Promise<Answer> => {
      try {
        return { ok: true, result: await endpoint.request(method, params) }
      } catch (error) {
        if (error instanceof RpcUnavailableError || error instanceof RpcRefusalError) return { ok: false, error }
        throw error
      }
    })
  }
}

/** Nodes word their refusals as they like; code and data say the same. */
function textOf(method: string, answer: Answer): string {
  if (answer.ok) return alikeText(method, answer.result)
  return answer.error instanceof RpcRefusalError ? `${answer.error.code} ${JSON.stringify(answer.error.data)}` : ''
}

/** What a plug-in sees of a chain. Families differ; what all have is the name. */
import type { PublicClient } from 'viem'
import type { Sender, SenderOptions } from './sender.ts'

export interface Chain {
  /** CAIP-2, such as `eip155:84532`. */
  readonly caip2: string
  /** The namespace of CAIP-2; says which further members there are. */
  readonly family: string
}

/** A chain of the EVM, over the RPC endpoints of the settings. */
export interface EvmChain extends Chain {
  readonly family: 'eip155'
  readonly chainId: number
  /**
   * Reads only: it has no account. A call that fails at the first endpoint goes to the next.
   * @throws {RpcUnavailableError} when no endpoint answered, as the cause of what viem throws. Never say of it that the
   * caller's input is wrong.
   */
  readonly client: PublicClient
  /** The same for what is decided once and for all: each answer is what two endpoints say, or the only one. */
  readonly agreed: PublicClient
  /**
   * Of the last block; the lowest where two or more say one, so what is asked of both about it is known to both.
   * @throws {RpcUnavailableError} when only one of several answered.
   */
  height(): Promise<bigint>
  /** Opens the sending engine for some relayer keys. Each name is opened once. */
  openSender(options: SenderOptions): Sender
}

export function isEvmChain(chain: Chain): chain is EvmChain {
  return chain.family === 'eip155'
}

/** No endpoint answered: neither yes nor no. Its text names no address. */
export class RpcUnavailableError extends Error {
  override name = 'RpcUnavailableError'
}

/** What the checks ask the chain, in the terms of EIP-7702. */
import { BaseError, keccak256, numberToHex, type Address, type Hex, type PublicClient } from 'viem'
import { RelayError } from '../reasons.ts'
import type { Authorization } from '../wire/submission.ts'

export interface SponsoredCall {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly authorization: Authorization | undefined
}

/** The data of a revert, `0x` when it gave none. */
export interface Reverted {
  readonly revertData: Hex
}

export class ChainReads {
  private readonly client: PublicClient

  constructor(client: PublicClient) {
    this.client = client
  }

  code(address: Address): Promise<Hex> {
    return available(async () => (await this.client.getCode({ address, blockTag: 'latest' })) ?? '0x')
  }

  async codeHash(address: Address): Promise<Hex> {
    return keccak256(await this.code(address))
  }

  nonce(address: Address): Promise<bigint> {
    return available(async () => BigInt(await this.client.getTransactionCount({ address, blockTag: 'latest' })))
  }

  /** What a view function returns; empty where there is no code, or when it reverts. */
  async view(to: Address, data: Hex, blockHash?: Hex): Promise<Hex> {
    const block = blockHash === undefined ? 'latest' : { blockHash }
    const answer = await orReverted(() =>
      this.client.request({ method: 'eth_call', params: [{ to, data }, block as 'latest'] }),
    )
    return typeof answer === 'string' ? answer : '0x'
  }

  /** Gas before refunds, of exactly this transaction. */
  async estimateGas({ from, to, data, authorization }: SponsoredCall): Promise<bigint | Reverted> {
    const list = authorization === undefined ? {} : { authorizationList: [tupleOf(authorization)] }
    const answer = await orReverted(() =>
      this.client.request({ method: 'eth_estimateGas', params: [{ from, to, data, ...list } as never, 'pending'] }),
    )
    return typeof answer === 'string' ? BigInt(answer) : answer
  }
}

function tupleOf({ chainId, nonce, yParity, ...others }: Authorization): object {
  return { ...others, chainId: numberToHex(chainId), nonce: numberToHex(nonce), yParity: numberToHex(yParity) }
}

async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    throw new RelayError('relay_chain_unavailable')
  }
}

async function orReverted<T>(work: () => Promise<T>): Promise<T | Reverted> {
  try {
    return await work()
  } catch (error) {
    const reverted = revertOf(error)
    if (reverted === undefined) throw new RelayError('relay_chain_unavailable')
    return reverted
  }
}

/** Nodes agree on code 3 with data; some say only "execution reverted" under a code of their own. */
function revertOf(error: unknown): Reverted | undefined {
  if (!(error instanceof BaseError)) return undefined
  const found = error.walk((each) => {
    const { code, details = '' } = each as { code?: unknown; details?: string }
    return code === 3 || (typeof code === 'number' && /\brevert(?:ed)?\b/i.test(details))
  })
  if (found === null) return undefined
  const { data } = found as unknown as { data?: unknown }
  return { revertData: typeof data === 'string' && data.startsWith('0x') ? (data as Hex) : '0x' }
}

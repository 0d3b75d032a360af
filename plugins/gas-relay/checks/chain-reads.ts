/** What the checks ask the chain, in the terms of EIP-7702. */
import { isHex, keccak256, numberToHex, type Address, type Hex, type PublicClient } from 'viem'
import { z } from 'zod'
import { revertOf, type Revert } from '../../../gateway/plugin-api.ts'
import type { Log } from '../delegates/delegate.ts'
import { RelayError } from '../reasons.ts'
import type { Authorization } from '../wire/submission.ts'

export interface SponsoredCall {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly authorization: Authorization | undefined
}

/** Of answers: a node may say anything. */
const hex = z.custom<Hex>((value) => isHex(value))
const logSchema = z.object({ address: hex, topics: z.array(hex), data: hex })
/** Of execution-apis, eth_simulateV1. */
const simulatedSchema = z.array(z.object({ calls: z.array(z.object({ logs: z.array(logSchema).default([]) })) }))
/** Whoever asks for many transactions, or again and again, asks the chain once. */
const HEIGHT_AGE_MAX_MS = 500
/** Blocks that tips are taken from. */
const FEE_BLOCKS = 5

export interface Block {
  readonly hash: Hex
  readonly number: bigint
  /** Wei per gas. */
  readonly baseFee: bigint
}

export class ChainReads {
  private readonly client: PublicClient

  constructor(client: PublicClient) {
    this.client = client
  }

  /** At the latest block, or after this one. */
  code(address: Address, blockHash?: Hex): Promise<Hex> {
    const block = blockHash === undefined ? 'latest' : { blockHash }
    return available(async () =>
      hex.parse(await this.client.request({ method: 'eth_getCode', params: [address, block as 'latest'] })),
    )
  }

  /** Of the head. */
  async height(): Promise<bigint> {
    return available(() => this.client.getBlockNumber({ cacheTime: HEIGHT_AGE_MAX_MS }))
  }

  /** undefined when the chain has no such block. */
  block(which: Hex | 'latest'): Promise<Block | undefined> {
    return available(async () => {
      const found =
        which === 'latest'
          ? await this.client.request({ method: 'eth_getBlockByNumber', params: [which, false] })
          : await this.client.request({ method: 'eth_getBlockByHash', params: [which, false] })
      if (found === null || found.hash === null || found.number === null) return undefined
      return { hash: hex.parse(found.hash), number: BigInt(found.number), baseFee: BigInt(found.baseFeePerGas ?? 0) }
    })
  }

  /** Wei: the median of what was paid on top of the base fee in the last blocks up to this one. */
  tip(blockNumber: bigint): Promise<bigint> {
    return available(async () => {
      const asked = { blockCount: FEE_BLOCKS, blockNumber, rewardPercentiles: [50] }
      const { reward = [] } = await this.client.getFeeHistory(asked)
      const tips = reward.flat().toSorted((a, b) => (a < b ? -1 : 1))
      return tips[Math.floor(tips.length / 2)] ?? 0n
    })
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
    const answer = await orReverted(async () =>
      hex.parse(await this.client.request({ method: 'eth_call', params: [{ to, data }, block as 'latest'] })),
    )
    return typeof answer === 'string' ? answer : '0x'
  }

  /** Gas before refunds, of exactly this transaction. */
  async estimateGas({ from, to, data, authorization }: SponsoredCall): Promise<bigint | Revert> {
    const list = authorization === undefined ? {} : { authorizationList: [tupleOf(authorization)] }
    const params = [{ from, to, data, ...list }, 'pending'] as never
    return orReverted(async () => BigInt(hex.parse(await this.client.request({ method: 'eth_estimateGas', params }))))
  }

  /** Events of exactly this transaction, run on the latest state; none when it reverts. The nodes know eth_simulateV1. */
  simulatedLogs({ from, to, data, authorization, gasLimit }: SponsoredCall & { gasLimit: bigint }): Promise<Log[]> {
    const list = authorization === undefined ? {} : { authorizationList: [tupleOf(authorization)] }
    const call = { from, to, data, gas: numberToHex(gasLimit), ...list }
    return available(async () => {
      const params = [{ blockStateCalls: [{ calls: [call] }] }, 'latest'] as never
      const answer: unknown = await this.client.request({ method: 'eth_simulateV1', params })
      return simulatedSchema.parse(answer)[0]?.calls[0]?.logs ?? []
    })
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

async function orReverted<T>(work: () => Promise<T>): Promise<T | Revert> {
  try {
    return await work()
  } catch (error) {
    const revert = revertOf(error)
    if (revert === undefined) throw new RelayError('relay_chain_unavailable')
    return revert
  }
}

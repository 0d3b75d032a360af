/** What the engine reads of a chain, checked for shape. All heights are numbers of blocks. */
import { hexToBigInt, hexToNumber, isHex, numberToHex, type Address, type Hash, type Hex } from 'viem'
import { z } from 'zod'
import { RpcUnavailableError } from '../chain.ts'
import type { FeeMarket } from '../sending/fees.ts'
import { meaningOf, strongest, type SendAnswer } from '../sending/send-answers.ts'
import { RpcRefusalError } from './endpoint.ts'
import type { RpcPool } from './pool.ts'

const hex = z.custom<Hex>((value) => isHex(value) && value.length <= 66)
const quantity = hex.transform((value) => (value === '0x' ? 0n : hexToBigInt(value)))
/** Below 2^52: what throws while it is converted would pass for a bug of ours, and end the look. */
const blockHeight = z
  .custom<Hex>((value) => isHex(value) && /^0x0*.{1,13}$/.test(value))
  .transform((value) => hexToNumber(value))

const headSchema = z.object({ number: blockHeight, hash: hex, baseFeePerGas: quantity.default(0n) })
const receiptSchema = z.object({
  transactionHash: hex,
  blockHash: hex,
  blockNumber: blockHeight,
  // What says neither is no receipt: an end rests on it.
  status: z
    .custom<Hex>((value) => isHex(value) && /^0x0*[01]$/.test(value))
    .transform((value) => (value.endsWith('1') ? ('success' as const) : ('reverted' as const))),
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  /** OP stack. */
  l1Fee: quantity.optional(),
  logs: z.array(
    z.object({
      address: hex,
      topics: z.array(hex),
      data: z.custom<Hex>((value) => isHex(value)),
    }),
  ),
})
const feeHistorySchema = z.object({
  baseFeePerGas: z.array(quantity).min(1),
  reward: z.array(z.array(quantity)).optional(),
})

export type Head = z.output<typeof headSchema>
export type Receipt = z.output<typeof receiptSchema>

/** Blocks that tips are taken from. */
const FEE_BLOCKS = 5

export class ChainReader {
  private readonly pool: RpcPool
  private market: { headHeight: number; reading: Promise<FeeMarket> } | undefined

  constructor(pool: RpcPool) {
    this.pool = pool
  }

  async head(): Promise<Head> {
    return read(headSchema, await this.ask('eth_getBlockByNumber', ['latest', false]))
  }

  /** undefined for a height that the node does not have. */
  async blockHashAt(number: number): Promise<Hash | undefined> {
    const block = await this.ask('eth_getBlockByNumber', [numberToHex(number), false])
    return block === null ? undefined : read(headSchema, block).hash
  }

  /** Transactions that the account has sent: its next nonce, after this block or after the last one. */
  async transactionCount(address: Address, block: number | 'latest'): Promise<number> {
    const at = block === 'latest' ? block : numberToHex(block)
    return read(blockHeight, await this.ask('eth_getTransactionCount', [address, at]))
  }

  /** The same, as two endpoints say it, or the only one. @throws {RpcUnavailableError} */
  async agreedTransactionCount(address: Address, block: number): Promise<number> {
    return read(blockHeight, await answerTo(this.pool.agreed('eth_getTransactionCount', [address, numberToHex(block)])))
  }

  /**
   * Height of the last block with this tag, the lowest that is said where two or more say one; -1 while there is none.
   * @throws {RpcUnavailableError} when fewer do.
   */
  async lowestHeight(tag: 'latest' | 'safe' | 'finalized'): Promise<number> {
    const answers = await this.pool.all('eth_getBlockByNumber', [tag, false])
    const heights = answers.flatMap((each) => {
      if (!each.ok) return []
      if (each.result === null) return [-1]
      const head = headSchema.safeParse(each.result)
      return head.success ? [head.data.number] : []
    })
    if (heights.length < Math.min(2, this.pool.size)) throw new RpcUnavailableError('the endpoints do not agree')
    return Math.min(...heights)
  }

  async balance(address: Address): Promise<bigint> {
    return read(quantity, await this.ask('eth_getBalance', [address, 'latest']))
  }

  /** undefined: the first endpoint that answered knows of none, which proves nothing. */
  async receipt(hash: Hash): Promise<Receipt | undefined> {
    const receipt = await this.ask('eth_getTransactionReceipt', [hash])
    return receipt === null ? undefined : read(receiptSchema, receipt)
  }

  /**
   * The receipt that two endpoints agree upon, or the only one; `null` when so many know of none, undefined when too few
   * answered or they contradict each other.
   */
  async agreedReceipt(hash: Hash): Promise<Receipt | null | undefined> {
    const answers = await this.pool.all('eth_getTransactionReceipt', [hash])
    const said = answers.filter((each) => each.ok)
    if (said.length < Math.min(2, this.pool.size)) return undefined
    const receipts = said.map(({ result }) => (result === null ? null : read(receiptSchema, result)))
    const [first = null] = receipts
    return receipts.every((each) => isSame(each, first)) ? first : undefined
  }

  /** @param headHeight As it was last seen: what was read at the same height is still true. */
  feeMarket(headHeight: number): Promise<FeeMarket> {
    if (this.market?.headHeight !== headHeight) {
      const reading = this.readFeeMarket()
      this.market = { headHeight, reading }
      // What failed is read again by whoever asks next.
      reading.catch(() => (this.market = undefined))
    }
    return this.market.reading
  }

  private async readFeeMarket(): Promise<FeeMarket> {
    const history = await this.ask('eth_feeHistory', [numberToHex(FEE_BLOCKS), 'latest', [50]])
    const { baseFeePerGas, reward = [] } = read(feeHistorySchema, history)
    const tips = reward.flat().toSorted((a, b) => (a < b ? -1 : 1))
    return { baseFee: baseFeePerGas.at(-1) ?? 0n, tip: tips[Math.floor(tips.length / 2)] ?? 0n }
  }

  private ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return answerTo(this.pool.request(method, params))
  }

  /** Gives the bytes to every endpoint; the first that takes them is not kept waiting by one that hangs. */
  async send(raw: Hex): Promise<SendAnswer> {
    const answers = this.pool.each('eth_sendRawTransaction', [raw]).map(async (each) => meaningOf(await each))
    try {
      return await Promise.any(answers.map(onlyTaken))
    } catch {
      return strongest(await Promise.all(answers))
    }
  }
}

async function onlyTaken(answer: Promise<SendAnswer>): Promise<SendAnswer> {
  if ((await answer) !== 'taken') throw new Error('not taken')
  return 'taken'
}

/** Each of these questions has an answer on every chain: a no to one is the node's own trouble. @throws {RpcUnavailableError} */
async function answerTo(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RpcRefusalError) throw new RpcUnavailableError('the node says no')
    throw error
  }
}

function isSame(a: Receipt | null, b: Receipt | null): boolean {
  return textOf(a) === textOf(b)
}

function textOf(receipt: Receipt | null): string {
  return JSON.stringify(receipt, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}

/** An answer of another shape says nothing. @throws {RpcUnavailableError} */
function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success) throw new RpcUnavailableError('the answer has another shape')
  return result.data
}

/** Whether an error of the reader means no more than "ask again". */
export function isPassing(error: unknown): boolean {
  return error instanceof RpcUnavailableError
}

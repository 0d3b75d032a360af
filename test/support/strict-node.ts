/**
 * A node in memory with the rules that real ones have and anvil has not (go-ethereum core/txpool, legacypool): a
 * replacement pays 10 % more in both fields, what offers less than the base fee waits, reorganized transactions come back
 * to the pool, an account with a delegation may have one transaction. Blocks are made when a test says so.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  toHex,
  type Hex,
  type TransactionSerialized,
} from 'viem'

interface Pooled {
  hash: Hex
  from: string
  nonce: number
  maxFee: bigint
  tip: bigint
  gas: bigint
}

interface Block {
  number: number
  hash: Hex
  baseFee: bigint
  transactions: Pooled[]
}

class Refusal extends Error {}

export class StrictNode {
  readonly balances = new Map<string, bigint>()
  readonly delegated = new Set<string>()
  /** Every answer to `eth_sendRawTransaction`. */
  readonly answers: string[] = []
  /** Hashes of transactions that are in the pool and are not mined, as anvil may do it; only a replacement helps. */
  readonly stranded = new Set<string>()
  /** Whether accounts that transactions of type 4 carry authorizations of have transactions of their own in the pool. */
  isAuthorityReserved = false
  baseFee = 1_000_000_000n
  private pool: Pooled[] = []
  private fork = 0
  private blocks: Block[] = [this.blockOf([])]

  mine(count = 1): void {
    for (let i = 0; i < count; i++) {
      const mined: Pooled[] = []
      for (;;) {
        const next = this.pool.find(
          (each) =>
            each.nonce === this.countOf(each.from, mined) &&
            each.maxFee >= this.baseFee &&
            !this.stranded.has(each.hash),
        )
        if (next === undefined) break
        mined.push(next)
        this.pool = this.pool.filter((each) => each !== next)
      }
      this.blocks.push(this.blockOf(mined))
    }
  }

  /** Other blocks take the place of the last ones; what was in these is in the pool again. */
  reorganize(depth: number): void {
    const removed = this.blocks.splice(-depth)
    this.fork++
    this.pool.push(...removed.flatMap(({ transactions }) => transactions))
    for (let i = 0; i < depth; i++) this.blocks.push(this.blockOf([]))
  }

  forgetPool(): void {
    this.pool = []
  }

  async listen(): Promise<{ url: string; close: () => Promise<void> }> {
    const server = createServer((request, response) => void this.handle(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url, close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))) }
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const { id, method, params } = JSON.parse(Buffer.concat(parts).toString())
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(await this.answer(method, params)) }))
  }

  private async answer(method: string, params: string[]): Promise<object> {
    try {
      const result = await this.resultOf(method, params)
      if (method === 'eth_sendRawTransaction') this.answers.push('ok')
      return { result }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (method === 'eth_sendRawTransaction') this.answers.push(error.message)
      return { error: { code: -32_000, message: error.message } }
    }
  }

  private resultOf(method: string, [first = '', second = '']: string[]): unknown {
    const account = first.toLowerCase()
    switch (method) {
      case 'eth_chainId':
        return numberToHex(84_532)
      case 'eth_getBlockByNumber':
        return this.presentBlock(first === 'latest' ? this.blocks.at(-1) : this.blocks[Number(first)])
      case 'eth_getTransactionCount': {
        const upTo = second === 'latest' ? this.blocks.length : Number(second) + 1
        return numberToHex(this.countOf(account, [], upTo))
      }
      case 'eth_getBalance':
        return numberToHex(this.balances.get(account) ?? 0n)
      case 'eth_feeHistory':
        return { baseFeePerGas: [numberToHex(this.baseFee)], reward: [['0x3b9aca00']] }
      case 'eth_getTransactionReceipt':
        return this.receiptOf(first)
      case 'eth_sendRawTransaction':
        return this.take(first as TransactionSerialized)
      default:
        throw new Refusal(`the method ${method} does not exist`)
    }
  }

  private async take(raw: TransactionSerialized): Promise<Hex> {
    const { nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, gas = 0n } = parseTransaction(raw)
    const from = (await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()
    const fresh = { hash: keccak256(raw), from, nonce, maxFee: maxFeePerGas, tip: maxPriorityFeePerGas, gas }
    if (this.pool.some(({ hash }) => hash === fresh.hash)) throw new Refusal('already known')
    if (raw.startsWith('0x04') && this.isAuthorityReserved) throw new Refusal('authority already reserved')
    if (nonce < this.countOf(from)) throw new Refusal('nonce too low: next nonce is higher')
    if (gas * maxFeePerGas > (this.balances.get(from) ?? 0n))
      throw new Refusal('insufficient funds for gas * price + value')
    const old = this.pool.find((each) => each.from === from && each.nonce === nonce)
    if (old === undefined && this.delegated.has(from) && this.pool.some((each) => each.from === from)) {
      throw new Refusal('in-flight transaction limit reached for delegated accounts')
    }
    const enough = (value: bigint, than: bigint): boolean => value * 100n >= than * 110n
    if (old !== undefined && !(enough(fresh.maxFee, old.maxFee) && enough(fresh.tip, old.tip))) {
      throw new Refusal('replacement transaction underpriced')
    }
    this.pool = [...this.pool.filter((each) => each !== old), fresh]
    return fresh.hash
  }

  /** Of the canonical blocks below `upTo`, and of these. */
  private countOf(account: string, more: Pooled[] = [], upTo = this.blocks.length): number {
    const mined = this.blocks.slice(0, upTo).flatMap(({ transactions }) => transactions)
    return [...mined, ...more].filter(({ from }) => from === account).length
  }

  private blockOf(transactions: Pooled[]): Block {
    const number = this.blocks?.length ?? 0
    return { number, hash: keccak256(toHex(`${number}/${this.fork}`)), baseFee: this.baseFee, transactions }
  }

  private presentBlock(block: Block | undefined): object | null {
    if (block === undefined) return null
    return { number: numberToHex(block.number), hash: block.hash, baseFeePerGas: numberToHex(block.baseFee) }
  }

  private receiptOf(hash: string): object | null {
    const block = this.blocks.find(({ transactions }) => transactions.some((each) => each.hash === hash))
    if (block === undefined) return null
    const blockNumber = numberToHex(block.number)
    const common = { transactionHash: hash, blockHash: block.hash, blockNumber, logs: [] }
    return { ...common, status: '0x1', gasUsed: '0x5208', effectiveGasPrice: numberToHex(block.baseFee) }
  }
}

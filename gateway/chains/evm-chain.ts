/** A chain of the EVM over its endpoints, checked before anything is sent to it. */
import { createPublicClient, custom, isHash, type Hash } from 'viem'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Store } from '../store/store.ts'
import { RpcUnavailableError, type EvmChain } from './chain.ts'
import { ChainReader } from './rpc/chain-reader.ts'
import { RpcPool } from './rpc/pool.ts'
import type { SenderOptions } from './sender.ts'
import { sendsSpec } from './sending/documents.ts'
import { Engine } from './sending/engine.ts'
import { Lanes } from './sending/lanes.ts'
import { SendMetrics } from './sending/send-metrics.ts'
import type { Finality } from './sending/parts.ts'
import type { RelayerKeys } from './sending/signing.ts'

export interface EvmChainSettings {
  readonly rpcUrls: readonly string[]
  readonly chainId: number
  readonly finality: Finality
  readonly finalityDepth: number
  readonly inFlightMax: number
  readonly pollMs: number
}

export interface EvmChainParts {
  store: Store
  logger: Logger
  metrics: Registry
  nowMs: () => number
}

/** @throws {WrongChainError} when an endpoint that answers serves another chain. One that is silent may come back. */
export async function openEvmChain(settings: EvmChainSettings, parts: EvmChainParts): Promise<OpenEvmChain> {
  const pool = new RpcPool(settings.rpcUrls, settings.chainId)
  if (pool.size === 1) parts.logger.warn('chain_with_one_endpoint')
  await pool.checkChain()
  return new OpenEvmChain(settings, parts, pool)
}

export class OpenEvmChain {
  readonly caip2: string
  readonly chainId: number
  readonly client: EvmChain['client']
  readonly agreed: EvmChain['agreed']
  private readonly settings: EvmChainSettings
  private readonly parts: EvmChainParts
  private readonly reader: ChainReader
  private readonly lanes: Lanes
  private readonly metrics: SendMetrics
  private readonly pool: RpcPool
  private genesis: Hash | undefined
  private readonly engines = new Map<string, Engine>()
  private readonly taken = new Set<string>()

  constructor(settings: EvmChainSettings, parts: EvmChainParts, pool: RpcPool) {
    this.settings = settings
    this.parts = parts
    this.chainId = settings.chainId
    this.caip2 = `eip155:${settings.chainId}`
    this.pool = pool
    this.reader = new ChainReader(pool)
    this.lanes = new Lanes(parts.store)
    this.metrics = new SendMetrics(parts.metrics)
    this.client = clientOver((method, params) => pool.request(method, params))
    this.agreed = clientOver((method, params) => pool.agreed(method, params))
  }

  /** The chain for those who have signatures made by these keys. */
  signedBy(keys: RelayerKeys): EvmChain {
    const { caip2, chainId, client, agreed } = this
    const height = async () => BigInt(await this.reader.lowestHeight('latest'))
    const openSender = (options: SenderOptions) => this.openSender(options, keys)
    return { family: 'eip155', caip2, chainId, client, agreed, height, openSender }
  }

  openSender(options: SenderOptions, keys: RelayerKeys): Engine {
    if (this.engines.has(options.name)) throw new Error(`the sender ${options.name} is open`)
    // Two engines would each take the other's transactions for foreign ones.
    const shared = options.relayerKeys.find((name) => this.taken.has(name))
    if (shared !== undefined) throw new Error(`the relayer key ${shared} belongs to another sender`)
    options.relayerKeys.forEach((name) => this.taken.add(name))
    const { finality, finalityDepth, inFlightMax, pollMs, chainId } = this.settings
    const engine = new Engine({
      ...this.parts,
      keys,
      settings: { chainId, chainKey: () => this.chainKey(), finality, finalityDepth, inFlightMax, pollMs },
      options,
      reader: this.reader,
      lanes: this.lanes,
      sends: this.parts.store.collection(sendsSpec),
      logger: this.parts.logger.child({ sender: options.name }),
      metrics: this.metrics.of(options.name),
    })
    this.engines.set(options.name, engine)
    return engine
  }

  private async chainKey(): Promise<string> {
    this.genesis ??= await genesisOf(this.pool)
    return `${this.caip2}/${this.genesis.slice(2, 10)}`
  }

  async close(): Promise<void> {
    await Promise.all([...this.engines.values()].map((engine) => engine.close()))
  }
}

/** The pool goes from one endpoint to the next; viem need not try again. */
export function clientOver(ask: (method: string, params: readonly unknown[]) => Promise<unknown>): EvmChain['client'] {
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    ask(method, (params ?? []) as readonly unknown[])
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 })
}

/**
 * The first block says which chain it is among those of the same id: development chains are made anew.
 * @throws {RpcUnavailableError} when none says, or not all the same.
 */
async function genesisOf(pool: RpcPool): Promise<Hash> {
  const answers = await pool.all('eth_getBlockByNumber', ['0x0', false])
  const blocks = answers.flatMap((answer) => (answer.ok ? [answer.result] : []))
  const [hash, ...others] = [...new Set(blocks.map((block) => (block as { hash?: unknown } | null)?.hash))]
  if (typeof hash === 'string' && isHash(hash) && others.length === 0) return hash
  throw new RpcUnavailableError('the endpoints do not agree on the first block')
}

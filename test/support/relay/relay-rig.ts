/**
 * The relay as the plug-in puts it together, over a real store, queue, engine and chain, with a signer double that has
 * the relayers' keys: without HTTP and the signer, so that one process can begin and end many of them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { keccak256, type Address } from 'viem'
import type { z } from 'zod'
import { DEV_CHAIN_ID } from '../../../cli/anvil.ts'
import { readContract } from '../../../cli/contracts.ts'
import { openEvmChain, type EvmChainSettings } from '../../../gateway/chains/evm-chain.ts'
import { lanesSpec, sendsSpec } from '../../../gateway/chains/sending/documents.ts'
import type { Engine } from '../../../gateway/chains/sending/engine.ts'
import type { RelayerKeys } from '../../../gateway/chains/sending/signing.ts'
import type { PluginHost } from '../../../gateway/plugin-api.ts'
import type { Queue } from '../../../gateway/queue/queue.ts'
import { InProcessQueues } from '../../../gateway/queue/in-process/in-process-queues.ts'
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../../gateway/store/store.ts'
import { timestampWindow } from '../../../gateway/timestamp-window.ts'
import { openRelay, relaySpecs } from '../../../plugins/gas-relay/relay.ts'
import { settingsSchema } from '../../../plugins/gas-relay/settings.ts'
import { tankId } from '../../../plugins/gas-relay/tank/tank.ts'
import type { TransactionDocument } from '../../../plugins/gas-relay/transactions/transaction.ts'
import { submitSchema } from '../../../plugins/gas-relay/wire/submission.ts'
import { signerDouble } from '../sending.ts'

export const ORGANIZATION = '11111111-2222-4333-8444-555555555555'
export const TANK = tankId(ORGANIZATION, `eip155:${DEV_CHAIN_ID}`)
export const TANK_WEI = 10n ** 19n

export interface RelayRigOptions {
  rpcUrls: readonly string[]
  relayerKeys: readonly string[]
  contracts: { delegate: Address; guard: Address }
  folder?: string
  /** What the relay sees of store, queue and signer. */
  wrapStore?: (store: Store) => Store
  wrapQueue?: (queue: Queue) => Queue
  wrapKeys?: (keys: RelayerKeys) => RelayerKeys
  chain?: Partial<EvmChainSettings>
  /** Beside those that every rig has. */
  settings?: z.input<typeof settingsSchema>
  timestampAgeMaxMs?: number
  nowMs?: () => number
}

export type RelayRig = Awaited<ReturnType<typeof openRelayRig>>

export async function openRelayRig(options: RelayRigOptions) {
  const { rpcUrls, relayerKeys, contracts, wrapQueue = (queue) => queue, nowMs = Date.now } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'ks-relay-'))
  const collections = [...relaySpecs, lanesSpec, sendsSpec]
  const plain = openSqliteStore({ file: join(folder, 'store.sqlite'), collections })
  const store = options.wrapStore?.(plain) ?? plain
  const logger = pino({ level: process.env['KEYSTEAD_TEST_LOG'] ?? 'silent' })
  const double = signerDouble(undefined, relayerKeys).keys
  const keys = options.wrapKeys?.(double) ?? double
  const base = { chainId: DEV_CHAIN_ID, finality: 'depth' as const, finalityDepth: 0, inFlightMax: 16, pollMs: 25 }
  const chain = await openEvmChain(
    { ...base, rpcUrls, ...options.chain },
    { store, logger, metrics: new Registry(), nowMs },
  )
  const queues = new InProcessQueues(logger)
  const host = {
    collection: (spec) => store.collection(spec),
    openQueue: (spec, handler) => wrapQueue(queues.open(spec, handler)),
    metrics: new Registry(),
    logger,
    checkTimestamp: timestampWindow(options.timestampAgeMaxMs ?? 0, nowMs),
    nowMs,
  } as Pick<PluginHost, 'collection' | 'openQueue' | 'metrics' | 'logger' | 'checkTimestamp' | 'nowMs'> as PluginHost
  const settings = settingsSchema.parse({
    ...options.settings,
    relayerKeys: relayerKeys.join(','),
    delegates: `batch-delegate=${contracts.delegate}=${keccak256(readContract('BatchDelegate').runtimeBytecode)}`,
    guard: contracts.guard,
  })
  const relay = await openRelay(host, settings, chain.signedBy(keys))
  await relay.tanks.deposit(TANK, 'all', TANK_WEI)
  // As the plug-in does at its start: what an earlier process has left.
  await relay.sweep()

  async function close(): Promise<void> {
    await queues.close()
    await chain.close()
    await store.close()
  }
  return {
    ...relay,
    chain,
    metrics: host.metrics,
    folder,
    /** @param parameters Of submit_transaction, as clients write them; `key` names the body. */
    send: (key: string, parameters: unknown, timestampMs = '1'): Promise<TransactionDocument> => {
      const body = { organizationId: ORGANIZATION, timestampMs, parameters }
      return relay.submit.submit({ organizationId: ORGANIZATION, digest: key }, submitSchema.parse(body))
    },
    tank: () => relay.tanks.read(TANK),
    /** Looks at the chain once: what the engine's timer does. */
    look: () => (relay.sender() as Engine).look(),
    close,
    async dispose() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

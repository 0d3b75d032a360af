/** The sending engine over real endpoints and a real store, with a signer double that has the relayers' keys. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { keccak256, parseTransaction, toHex, type Address, type Hex, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { SenderOptions, SendRequest } from '../../gateway/chains/sender.ts'
import { openEvmChain, type EvmChainSettings } from '../../gateway/chains/evm-chain.ts'
import { lanesSpec, sendsSpec } from '../../gateway/chains/sending/documents.ts'
import type { RelayerKeys, Signed } from '../../gateway/chains/sending/signing.ts'
import { openSqliteStore } from '../../gateway/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../gateway/store/store.ts'

export const GWEI = 1_000_000_000n

/** The same keys in every process of a test. */
export function relayerAccount(name: string) {
  return privateKeyToAccount(keccak256(toHex(`relayer ${name}`)))
}

/** Signs whatever it is asked to, unless `decide` says otherwise; the same bytes for the same fields. */
export function signerDouble(
  decide: (unsigned: Hex) => Signed | undefined = () => undefined,
  names: readonly string[] = ['one'],
) {
  const signed: Hex[] = []
  const known = names.map((name) => relayerAccount(name))
  const keys: RelayerKeys = {
    addresses: async (wanted) => wanted.flatMap((name) => (names.includes(name) ? [relayerAccount(name).address] : [])),
    async sign(from, unsigned) {
      const decided = decide(unsigned)
      if (decided !== undefined) return decided
      const account = known.find(({ address }) => address.toLowerCase() === from.toLowerCase())
      if (account === undefined) return { status: 'refused', code: 'KEY_NOT_FOUND' }
      signed.push(unsigned)
      const fields: TransactionSerializable = parseTransaction(unsigned)
      const raw = await account.signTransaction(fields)
      return { status: 'signed', raw }
    },
  }
  return { keys, signed }
}

export function openSendingStore(folder: string): Store {
  return openSqliteStore({ file: join(folder, 'store.sqlite'), collections: [lanesSpec, sendsSpec] })
}

export interface RigOptions {
  rpcUrls: readonly string[]
  folder?: string
  store?: Store
  keys?: RelayerKeys
  sender?: Partial<SenderOptions>
  settings?: Partial<EvmChainSettings>
  nowMs?: () => number
}

export interface Rig extends Awaited<ReturnType<typeof openRig>> {}

/** Looks at the chain only when it is told to, unless the settings say otherwise. */
export async function openRig(options: RigOptions) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'ks-sending-'))
  const store = options.store ?? openSendingStore(folder)
  const logger = pino({ level: process.env['KEYSTEAD_TEST_LOG'] ?? 'silent' })
  const base = { chainId: 84_532, finality: 'depth' as const, finalityDepth: 2, inFlightMax: 16, pollMs: 3_600_000 }
  const settings = { ...base, rpcUrls: options.rpcUrls, ...options.settings }
  const keys = options.keys ?? signerDouble(undefined, options.sender?.relayerKeys).keys
  const metrics = new Registry()
  const chain = await openEvmChain(settings, { store, logger, metrics, nowMs: options.nowMs ?? Date.now })
  const sender = chain.openSender(
    { name: 'test', relayerKeys: ['one'], feeCeiling: 100n * GWEI, ...options.sender },
    keys,
  )
  return {
    chain,
    metrics,
    sender,
    store,
    folder,
    async close() {
      await chain.close()
      await store.close()
    },
    async dispose() {
      await chain.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A transaction that can be told from all others: its data is the key. */
export function requestOf(key: string, members: Partial<SendRequest> = {}): SendRequest {
  const to: Address = '0x00000000000000000000000000000000000000aa'
  const common = { gasLimit: 60_000n, feeCeiling: 50n * GWEI, validUntilMs: Date.now() + 3_600_000 }
  return { key, to, data: toHex(key), ...common, ...members }
}

/** Payments through real gateway, worker and signer processes, of which gateway and worker die where they are told to. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Address, PrivateKeyAccount } from 'viem'
import type { Child } from '../../../cli/child.ts'
import { ApiClient } from '../../../cli/api-client.ts'
import { devOrganizations } from '../../../cli/dev-organizations.ts'
import { devRelayer } from '../../../cli/dev-relayer.ts'
import { startGatewayProcess, startWorkerProcess, stopChild, type Backing, type GatewayReady } from '../distributed.ts'
import { startLauncher, type Launcher } from '../launcher.ts'
import type { Answer } from './facilitator.ts'
import { startPaymentChain, type PaymentChain } from './payment-chain.ts'

const PRELOADED = join(import.meta.dirname, '../mortal-process.ts')
/** The limits of the specification are for strangers. */
const WIDE = '1000000'
const GAS_WEI = '10000000000000000000'
const RELAYER_WEI = 10n ** 20n
/** For a worker that does not come to where it should die. */
const WORKER_LIFE_MS = 90_000

export interface MortalService {
  chain: PaymentChain
  buyer: PrivateKeyAccount
  relayer: Address
  gateway: Child<GatewayReady>
  /** A worker beside it, on a backing that they share. */
  startWorker(): Promise<Child<object>>
  /** A worker that dies after the effect. Resolves at its end, however far it came. */
  sacrificeWorker(effect: string): Promise<void>
  /** Another gateway process, after the end of the last one. */
  restart(): Promise<void>
  /** SIGTERM, and its end. */
  stop(): Promise<void>
  /** What happens from now on counts. @param effect Its last one; an empty name lets it live. */
  dieAfter(effect: string): Promise<void>
  /** Of all gateways since they were armed, in order. */
  effects(): string[]
  post(route: 'verify' | 'settle', body: object): Promise<Answer>
  /** The documents of a collection, from the file of the store; while no gateway runs. */
  documents<T>(collection: string): T[]
  dispose(): Promise<void>
}

/** @param backing Without it the one gateway has all in its folder. */
export async function startMortalService(backing?: Backing): Promise<MortalService> {
  const [launcher, chain] = await Promise.all([startSigner(), startPaymentChain()])
  const { dataDir } = launcher
  const { operator } = await devOrganizations(dataDir, backing?.environment.KEYSTEAD_MONGODB_URL)
  const keyPath = join(dataDir, 'service-key.json')
  const { organizationId, apiPublicKey, apiPrivateKey } = operator
  writeFileSync(keyPath, JSON.stringify({ organizationId, apiPublicKey, apiPrivateKey }), { mode: 0o600 })
  const effectsPath = join(dataDir, 'effects.txt')
  const environment = {
    ...process.env,
    ...settingsOf(chain),
    ...backing?.environment,
    KEYSTEAD_DATA_DIR: dataDir,
    KEYSTEAD_SERVICE_KEY_FILE: keyPath,
    KEYSTEAD_TEST_EFFECTS: effectsPath,
    // Most of the test's time is gateways that start.
    NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
    NODE_OPTIONS: `--import=${PRELOADED}`,
  }
  let gateway = await startGatewayProcess(environment)
  const relayer = await devRelayer(new ApiClient(gateway.ready.baseUrl, operator), 'x402-relayer')
  await chain.client.setBalance({ address: relayer, value: RELAYER_WEI })
  return {
    chain,
    buyer: await chain.buyer(1_000_000_000_000n),
    relayer,
    get gateway() {
      return gateway
    },
    startWorker: () => startWorkerProcess(environment),
    async sacrificeWorker(effect) {
      const dying = startWorkerProcess({ ...environment, KEYSTEAD_TEST_DIE_AFTER: effect })
      // It may die before it is ready, which is when it takes up what was left.
      const worker = await dying.catch(() => undefined)
      const timer = setTimeout(() => worker?.process.kill('SIGKILL'), WORKER_LIFE_MS)
      await worker?.ended
      clearTimeout(timer)
    },
    async restart() {
      gateway = await startGatewayProcess(environment)
    },
    stop: () => stopChild(gateway),
    async dieAfter(effect) {
      const armed = once(gateway.process, 'message')
      gateway.process.send({ dieAfter: effect })
      await armed
    },
    effects: () => (existsSync(effectsPath) ? readFileSync(effectsPath, 'utf8').trimEnd().split('\n') : []),
    async post(route, body) {
      const url = `${gateway.ready.baseUrl}/x402/v1/${route}`
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
      return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Answer['json'] }
    },
    documents: (collection) => documentsIn(join(dataDir, 'store.sqlite'), collection),
    async dispose() {
      await stopChild(gateway)
      await Promise.all([launcher.stop(), chain.stop()])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function startSigner(): Promise<Launcher> {
  return startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1', KEYSTEAD_SIGNER_DEADLINE_MS: '25000' } })
}

function settingsOf({ rpcUrl, token, domain }: PaymentChain): Record<string, string> {
  return {
    KEYSTEAD_LOG_LEVEL: process.env['KEYSTEAD_TEST_LOG'] ?? 'silent',
    KEYSTEAD_SIGNER_DEADLINE_MS: '25000',
    KEYSTEAD_RPC_URL: rpcUrl,
    KEYSTEAD_CHAIN_FINALITY_DEPTH: '0',
    KEYSTEAD_CHAIN_POLL_MS: '100',
    KEYSTEAD_X402_ASSET: token,
    KEYSTEAD_X402_ASSET_NAME: domain.name,
    KEYSTEAD_X402_ASSET_VERSION: domain.version,
    KEYSTEAD_X402_POLICY_ENABLED: 'true',
    KEYSTEAD_X402_SETTLE_PER_IP: WIDE,
    KEYSTEAD_X402_SETTLE_PER_PAYER: WIDE,
    KEYSTEAD_X402_SETTLE_PER_FACILITATOR: WIDE,
    KEYSTEAD_X402_GAS_PER_DAY: GAS_WEI,
    KEYSTEAD_X402_GAS_PER_30_DAYS: GAS_WEI,
  }
}

function documentsIn<T>(file: string, collection: string): T[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const found = database.prepare(`select doc from "${collection}"`).all() as { doc: string }[]
    return found.map(({ doc }) => JSON.parse(doc) as T)
  } finally {
    database.close()
  }
}

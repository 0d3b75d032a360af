/** The whole service as a user starts it, in a folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBacking, widen } from './distributed.ts'

export interface DevJson {
  baseUrl: string
  organizationId: string
  apiPublicKey: string
  apiPrivateKey: string
  /** Uncompressed P-256 key, lower-case hex, that signs export bundles. */
  signerPublicKey: string
  operator: { organizationId: string; apiPublicKey: string; apiPrivateKey: string }
  chain: { rpcUrl: string; chainId: number }
  relay: { relayerAddress: `0x${string}`; delegateAddress: `0x${string}` }
  x402: {
    facilitatorUrl: string
    network: string
    asset: `0x${string}`
    name: string
    version: string
    relayerAddress: `0x${string}`
    buyerPrivateKey: `0x${string}`
  }
}

export interface Service {
  dataDir: string
  dev: DevJson
  process: ChildProcess
  /** Everything the processes have printed so far. */
  output(): string
  /** SIGTERM, and the end of all processes; the folder stays. */
  stop(): Promise<void>
  /** Stops and deletes the folder. */
  dispose(): Promise<void>
}

/**
 * `KEYSTEAD_TEST_BACKING=distributed`: every service has two gateways behind one address, two workers, MongoDB's protocol
 * and Redis; `npm run test:distributed`. Not for tests that look below HTTP: the one address is a proxy's.
 */
const distributed = process.env['KEYSTEAD_TEST_BACKING'] === 'distributed'

const rootPath = join(import.meta.dirname, '../..')
const READY_MS = distributed ? 180_000 : 60_000
/** On a machine that does other work as well, what takes a second may take ten: no host is killed for that. */
const patient = { KEYSTEAD_PORT: '0', KEYSTEAD_SIGNER_DEADLINE_MS: '25000' }

/** Short, because a unix socket's path has at most 107 bytes. */
export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'ks-'))
}

export async function startService(
  options: { dataDir?: string; environment?: Record<string, string> } = {},
): Promise<Service> {
  const dataDir = options.dataDir ?? newDataDir()
  const backing = distributed ? await startBacking() : undefined
  const environment = {
    ...process.env,
    ...patient,
    // Most tests need none, and what it brings into the operator's organization is in their way.
    KEYSTEAD_LOCAL_CHAIN: 'off',
    ...backing?.environment,
    // What takes a second may take ten, and then it is to be seen at its end all the same.
    ...(distributed && { KEYSTEAD_ACTIVITY_HOLD_MS: '60000' }),
    ...options.environment,
    KEYSTEAD_DATA_DIR: dataDir,
  }
  rmSync(join(dataDir, 'dev.json'), { force: true })
  const child = spawn(process.execPath, [join(rootPath, 'cli/start.ts')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let wide: Awaited<ReturnType<typeof widen>> | undefined
  const stop = async () => {
    await wide?.close()
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
    await backing?.dispose()
  }
  let dev: DevJson
  try {
    await untilReady(child, join(dataDir, 'dev.json'), () => output)
    dev = JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevJson
    if (distributed) {
      wide = await widen(dev.baseUrl, environment)
      dev = { ...dev, baseUrl: wide.baseUrl }
    }
  } catch (error) {
    await stop()
    throw error
  }
  return {
    dataDir,
    dev,
    process: child,
    output: () => output,
    stop,
    async dispose() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function untilReady(child: ChildProcess, path: string, output: () => string): Promise<void> {
  const givesUpAtMs = Date.now() + READY_MS
  while (!existsSync(path)) {
    const over = child.exitCode !== null || child.signalCode !== null || Date.now() > givesUpAtMs
    if (over) throw new Error(`the service did not get ready:\n${output()}`)
    await sleep(20)
  }
}

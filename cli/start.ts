/**
 * `npm start`, development mode: launcher, signer hosts and gateway as processes of their own, an organization to try
 * things with, and `dev.json` that says where everything is. On embedded defaults; where the settings name a Redis, with
 * a worker. Not for production.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { configOrExit, loadConfig } from '../gateway/config.ts'
import { asStartError, StartError } from '../gateway/start-error.ts'
import { ApiClient } from './api-client.ts'
import { ChildEndedError, startChild, type Child } from './child.ts'
import { CliError } from './cli-error.ts'
import { startDevChain, type DevChain } from './dev-chain.ts'
import { devOrganizations, type DevOrganizations } from './dev-organizations.ts'
import { devRelay, relayEnvironment, type DevRelay } from './dev-relay.ts'
import { devServiceUsers, serviceKeysEnvironment } from './dev-service-users.ts'
import { devX402, x402Environment, type DevX402 } from './dev-x402.ts'
import { launcherAnswers, signerPublicKey } from './operator-client.ts'
import { writePrivateFile } from './private-file.ts'

const RESTART_PAUSE_MS = 1_000
/** Within this the launcher of a service that was killed has noticed. */
const LET_GO_MS = 1_000

interface LauncherReady {
  sandbox: string
  hosts: number
  engine: string
  fasterWith?: string
}

interface GatewayReady {
  baseUrl: string
}

const rootPath = join(import.meta.dirname, '..')
const running = new Set<Child<unknown>>()
let devChain: DevChain | undefined
let stopping = false

/** Starts a process and starts it again whenever it ends, until we stop. */
async function keepRunning<Ready>(script: string, environment: NodeJS.ProcessEnv): Promise<Child<Ready>> {
  const child = await startChild<Ready>(join(rootPath, script), environment)
  running.add(child)
  void child.ended.then(() => running.delete(child)).then(() => restart(script, environment))
  return child
}

async function restart(script: string, environment: NodeJS.ProcessEnv): Promise<void> {
  for (;;) {
    if (stopping) return
    console.error(`keystead: ${script} ended, starting it again`)
    try {
      await keepRunning(script, environment)
      return
    } catch {
      await sleep(RESTART_PAUSE_MS)
    }
  }
}

async function isInUse(dataDir: string): Promise<boolean> {
  const givesUpAtMs = performance.now() + LET_GO_MS
  while (await launcherAnswers(dataDir)) {
    if (performance.now() > givesUpAtMs) return true
    await sleep(50)
  }
  return false
}

/** What the operator must mend is said in a sentence, here or by the process that ended; anything else is a bug. */
async function refuseToStart(thrown: unknown): Promise<never> {
  if (thrown instanceof ChildEndedError && thrown.exitCode !== null) return stop(thrown.exitCode || 1)
  const error = thrown instanceof ChildEndedError ? new StartError(thrown.message) : asStartError(thrown)
  if (!(error instanceof StartError || error instanceof CliError)) throw error
  console.error(`keystead: ${error.message}`)
  return stop(1)
}

/** The gateway first, so that what it has accepted can still be signed. */
async function stop(exitCode = 0): Promise<never> {
  stopping = true
  for (const child of [...running].toReversed()) {
    child.process.kill('SIGTERM')
    await child.ended
  }
  await devChain?.stop()
  process.exit(exitCode)
}

/** Without a chain everything else works, so a machine that anvil does not run on is told and no more. */
async function localChain(): Promise<DevChain | undefined> {
  if (config.rpcUrl !== undefined || config.localChain === 'off') return undefined
  try {
    const chain = await startDevChain(config.dataDir)
    void chain.ended.then(
      () => stopping || console.error('keystead: the local chain has ended; start again to have one'),
    )
    return chain
  } catch (error) {
    console.error(`keystead: no local chain: ${error instanceof Error ? error.message : 'failed'}`)
    return undefined
  }
}

function chainEnvironment(): NodeJS.ProcessEnv {
  if (devChain === undefined) return {}
  // Its only miner is on our side, and it mines only when there is something to mine.
  return {
    KEYSTEAD_CHAIN_FINALITY_DEPTH: '0',
    KEYSTEAD_CHAIN_POLL_MS: '100',
    ...x402Environment(devChain),
    ...relayEnvironment(devChain),
    ...process.env,
    KEYSTEAD_RPC_URL: devChain.rpcUrl,
  }
}

async function serviceKeys(organizationId: string): Promise<NodeJS.ProcessEnv> {
  try {
    return serviceKeysEnvironment(config.dataDir, organizationId)
  } catch (error) {
    return refuseToStart(error)
  }
}

function chainJson(): object {
  const [rpcUrl = devChain?.rpcUrl] = config.rpcUrl ?? []
  return rpcUrl === undefined ? {} : { chain: { rpcUrl, chainId: config.chainId } }
}

function announce(path: string, launcher: LauncherReady, { baseUrl }: GatewayReady): void {
  console.log(
    [
      '',
      '  Keystead, development mode: every key lies on this disk. NOT FOR PRODUCTION.',
      '',
      `  base URL     ${baseUrl}`,
      `  credentials  ${path}`,
      ...(devChain === undefined ? [] : [`  local chain  ${devChain.rpcUrl}`]),
      `  signer       ${launcher.hosts} host(s), sandbox: ${launcher.sandbox}, engine: ${launcher.engine}`,
      ...(launcher.fasterWith === undefined
        ? []
        : [`               the fast engine is built by: ${launcher.fasterWith}`]),
      '',
    ].join('\n'),
  )
}

function devJson(
  { user, operator }: DevOrganizations,
  { baseUrl }: GatewayReady,
  signerKey: string,
  relay: DevRelay | undefined,
  x402: DevX402 | undefined,
): object {
  const credentialsOf = ({ organizationId, apiPublicKey, apiPrivateKey }: DevOrganizations['user']) => ({
    organizationId,
    apiPublicKey,
    apiPrivateKey,
  })
  return {
    baseUrl,
    ...credentialsOf(user),
    signerPublicKey: signerKey,
    operator: credentialsOf(operator),
    ...chainJson(),
    relay,
    x402,
  }
}

const config = configOrExit()
// Before anything of it is touched: the launcher would find this out too late for its dev.json and its local chain.
if (await isInUse(config.dataDir)) {
  const message = `another service runs on ${config.dataDir}: stop it, or choose another folder with KEYSTEAD_DATA_DIR`
  await refuseToStart(new StartError(message))
}
try {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
} catch (error) {
  await refuseToStart(error)
}
const devJsonPath = join(config.dataDir, 'dev.json')
// Whoever waits for the file must not find the one of the last run.
rmSync(devJsonPath, { force: true })
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping || void stop())

const environment = {
  ...process.env,
  KEYSTEAD_DATA_DIR: config.dataDir,
  // The launcher does not read the file of settings.
  KEYSTEAD_SIGNER_DEADLINE_MS: String(config.signerDeadlineMs),
}
const [launcher, chain] = await Promise.all([
  keepRunning<LauncherReady>('signer-core/launcher/main.ts', environment),
  localChain(),
]).catch(refuseToStart)
devChain = chain
const organizations = await devOrganizations(config.dataDir, config.mongodbUrl).catch(refuseToStart)
const gatewayEnvironment: NodeJS.ProcessEnv = {
  ...(await serviceKeys(organizations.operator.organizationId)),
  ...environment,
  ...chainEnvironment(),
}
const gateway = await keepRunning<GatewayReady>('gateway/main.ts', gatewayEnvironment).catch(refuseToStart)
if (config.redisUrl !== undefined) {
  await keepRunning('gateway/worker-main.ts', gatewayEnvironment).catch(refuseToStart)
}
// A gateway that is started again must come back where dev.json says, also when any port was asked for.
gatewayEnvironment['KEYSTEAD_PORT'] = new URL(gateway.ready.baseUrl).port
const operator = new ApiClient(gateway.ready.baseUrl, organizations.operator)
await devServiceUsers(operator, loadConfig(gatewayEnvironment)).catch(refuseToStart)
const x402 = devChain && (await devX402(devChain, gateway.ready.baseUrl, operator))
const relay = devChain && (await devRelay(devChain, operator, organizations.user.organizationId))
const signerKey = await signerPublicKey(config.dataDir)
writePrivateFile(devJsonPath, devJson(organizations, gateway.ready, signerKey, relay, x402))
announce(devJsonPath, launcher.ready, gateway.ready)

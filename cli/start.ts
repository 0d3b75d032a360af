/**
 * `npm start`, development mode: launcher, signer hosts and gateway as processes of their own on embedded defaults, an
 * organization to try things with, and `dev.json` that says where everything is. Not for production.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { configOrExit } from '../gateway/config.ts'
import { StartError } from '../gateway/start-error.ts'
import { startChild, type Child } from './child.ts'
import { devOrganizations, type DevOrganizations } from './dev-organizations.ts'
import { signerPublicKey } from './operator-client.ts'
import { writePrivateFile } from './private-file.ts'

const RESTART_PAUSE_MS = 1_000

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

/** What the operator must mend is said in a sentence; anything else is a bug. */
async function refuseToStart(error: unknown): Promise<never> {
  if (!(error instanceof StartError)) throw error
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
  process.exit(exitCode)
}

function announce(path: string, launcher: LauncherReady, { baseUrl }: GatewayReady): void {
  console.log(
    [
      '',
      '  Keystead, development mode: every key lies on this disk. NOT FOR PRODUCTION.',
      '',
      `  base URL     ${baseUrl}`,
      `  credentials  ${path}`,
      `  signer       ${launcher.hosts} host(s), sandbox: ${launcher.sandbox}, engine: ${launcher.engine}`,
      ...(launcher.fasterWith === undefined
        ? []
        : [`               the fast engine is built by: ${launcher.fasterWith}`]),
      '',
    ].join('\n'),
  )
}

function devJson({ user, operator }: DevOrganizations, { baseUrl }: GatewayReady, signerKey: string): object {
  const credentialsOf = ({ organizationId, apiPublicKey, apiPrivateKey }: DevOrganizations['user']) => ({
    organizationId,
    apiPublicKey,
    apiPrivateKey,
  })
  return { baseUrl, ...credentialsOf(user), signerPublicKey: signerKey, operator: credentialsOf(operator) }
}

const config = configOrExit()
mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
const devJsonPath = join(config.dataDir, 'dev.json')
// Whoever waits for the file must not find the one of the last run.
rmSync(devJsonPath, { force: true })
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping || void stop())

const environment = { ...process.env, KEYSTEAD_DATA_DIR: config.dataDir }
const launcher = await keepRunning<LauncherReady>('signer-core/launcher/main.ts', environment)
const organizations = await devOrganizations(config.dataDir).catch(refuseToStart)
const gatewayEnvironment: NodeJS.ProcessEnv = { ...environment }
const gateway = await keepRunning<GatewayReady>('gateway/main.ts', gatewayEnvironment)
// A gateway that is started again must come back where dev.json says, also when any port was asked for.
gatewayEnvironment['KEYSTEAD_PORT'] = new URL(gateway.ready.baseUrl).port
writePrivateFile(devJsonPath, devJson(organizations, gateway.ready, await signerPublicKey(config.dataDir)))
announce(devJsonPath, launcher.ready, gateway.ready)

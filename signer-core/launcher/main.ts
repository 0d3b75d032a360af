/**
 * The launcher: holds the KMS, hands the data key to sandboxed signer hosts, passes frames between them and two local
 * sockets. It never looks into a payload. Settings: `KEYSTEAD_*` in settings.ts.
 */
import { join } from 'node:path'
import { openDataKey } from './data-key.ts'
import { chooseEngine, statusOf } from './engine.ts'
import { makePrivateDirectory } from './files.ts'
import { HostPool } from './host-pool.ts'
import { createStartHost } from './host-process.ts'
import { closeInherited } from './inherited.ts'
import { kmsAdapters } from './kms/index.ts'
import { log, StartError } from './log.ts'
import { checkManifest } from './manifest.ts'
import { chooseSandbox } from './sandbox.ts'
import { readSettings } from './settings.ts'
import { listen, type Listener } from './sockets.ts'

const BUILT = join(import.meta.dirname, '../dist')
const STOP_GRACE_MS = 5_000

async function start(): Promise<void> {
  // Whatever is created from here on, sockets included, is ours alone from its first moment.
  process.umask(0o077)
  closeInherited()
  // A log that nobody reads any more must not end the signer.
  process.stderr.on('error', () => {})
  if (!process.execArgv.includes('--disable-sigusr1')) {
    log('warn', 'inspector_possible', { message: 'Start the launcher with --disable-sigusr1.' })
  }
  const { dataDir, engine: setting, hosts, deadlineMs, idleMs, socketMode } = readSettings(process.env)
  const engine = chooseEngine(setting, BUILT)
  const componentDigest = checkManifest(engine.dist)
  const signerDir = join(dataDir, 'signer')
  makePrivateDirectory(signerDir)
  const pool = new HostPool({ deadlineMs, idleMs })
  // Before any key is touched: whoever has the sockets is the only launcher here.
  const ask = pool.call.bind(pool)
  const status = () => statusOf(engine, componentDigest, pool.readyHosts)
  const listeners = [
    await listen(join(dataDir, 'signer.sock'), 'activity', ask, status, socketMode),
    await listen(join(signerDir, 'operator.sock'), 'operator', ask, status),
  ]
  stopOnSignal(listeners, pool)
  const sandbox = await chooseSandbox(process.env['PATH'] ?? '', engine.dist)
  const openedDataKey = await openDataKey(signerDir, kmsAdapters['key-file'])
  const unwrapDataKey = () => {
    // A build since our start has replaced the signer; what replaced it gets no key before somebody starts us anew.
    if (checkManifest(engine.dist) === componentDigest) return openedDataKey()
    throw new StartError('signer_replaced', 'the built signer is not the one of our start: start the launcher again')
  }
  await pool.start(
    hosts,
    createStartHost(sandbox, engine.dist, componentDigest, async () => unwrapDataKey()),
  )
  const facts = { sandbox: sandbox.kind, hosts, engine: engine.name, componentDigest }
  log('info', 'launcher_ready', facts)
  process.send?.({ ready: true, ...facts, fasterWith: engine.fasterWith })
}

/** Also when the process that started us with a channel is gone. */
function stopOnSignal(listeners: Listener[], pool: HostPool): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    log('info', 'launcher_stopping')
    for (const listener of listeners) listener.stopAccepting()
    await pool.close(STOP_GRACE_MS)
    await Promise.all(listeners.map((listener) => listener.close()))
    log('info', 'launcher_stopped')
    process.exit(0)
  }
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => void stop())
}

try {
  await start()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  log('fatal', error.event, { message: error.message })
  process.exit(error.exitCode)
}

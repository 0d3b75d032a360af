import test from 'ava'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { foundingCall } from '../support/founding.ts'
import { descendantsOf, makeDataDir, runLauncher, startLauncher, stillAlive } from '../support/launcher.ts'
import { until } from '../support/processes.ts'

const oneHost = { KEYSTEAD_SIGNER_HOSTS: '1' }
const HEALTH_CHECK = join(import.meta.dirname, '../../signer-core/launcher/health-check.ts')

/** @returns its exit code. */
async function healthCheck(dataDir: string): Promise<number> {
  const child = spawn(process.execPath, [HEALTH_CHECK], { env: { KEYSTEAD_DATA_DIR: dataDir }, stdio: 'inherit' })
  return (await once(child, 'exit'))[0]
}

const keyFile = (dataDir: string) => join(dataDir, 'signer/key-encryption.key')

for (const sandbox of ['as found', 'none'] as const) {
  test(`SIGKILL of the launcher leaves no process behind (sandbox ${sandbox})`, async (t) => {
    const environment: Record<string, string> = sandbox === 'none' ? { ...oneHost, PATH: '/nonexistent' } : oneHost
    const launcher = await startLauncher({ environment })
    const below = descendantsOf(launcher.pid)
    t.true(below.length >= 1)
    // A host that cannot see the end of its socket: only bubblewrap ends that one.
    if (launcher.ready.sandbox !== 'none') process.kill(launcher.hostPids()[0] as number, 'SIGSTOP')
    process.kill(launcher.pid, 'SIGKILL')
    t.deepEqual(await stillAlive(below), [])
  })
}

test('without bubblewrap it works, and says loudly that the sandbox is missing', async (t) => {
  const launcher = await startLauncher({ environment: { ...oneHost, PATH: '/nonexistent' } })
  t.teardown(launcher.stop)
  t.is(launcher.ready.sandbox, 'none')
  t.regex(launcher.log(), /"level":"warn".*WITHOUT A SANDBOX/)
  const operator = await launcher.connect('operator')
  t.true((await operator.call(foundingCall(), 'operator')).value.ok)
})

test('it says how many hosts are ready: none when none can be started', async (t) => {
  const launcher = await startLauncher({ environment: oneHost })
  t.teardown(launcher.stop)
  const client = await launcher.connect()
  const readyHosts = async () => (await client.call({}, 'status')).value.readyHosts as number
  t.is(await readyHosts(), 1)
  t.is(await healthCheck(launcher.dataDir), 0)
  rmSync(keyFile(launcher.dataDir))
  process.kill(launcher.hostPids()[0] as number, 'SIGKILL')
  await until('the end of the host', async () => (await readyHosts()) === 0)
  t.is(await healthCheck(launcher.dataDir), 1)
  await launcher.stop()
  t.is(await healthCheck(launcher.dataDir), 1)
})

test('a second launcher on the same data directory refuses, and one after a SIGKILL starts', async (t) => {
  const first = await startLauncher({ environment: oneHost })
  const second = await runLauncher({ dataDir: first.dataDir, environment: oneHost })
  t.is(second.code, 1)
  t.regex(second.log, /already_running.*one launcher for each data directory/)
  const operator = await first.connect('operator')
  t.true((await operator.call(foundingCall(), 'operator')).value.ok, 'the first is not disturbed')
  process.kill(first.pid, 'SIGKILL')
  t.deepEqual(await stillAlive([first.pid]), [])
  const third = await startLauncher({ dataDir: first.dataDir, environment: oneHost })
  t.is(await third.stop(), 0)
})

test('SIGTERM ends it in order: exit code 0, no sockets, no hosts', async (t) => {
  const launcher = await startLauncher({ environment: oneHost })
  const below = descendantsOf(launcher.pid)
  const paths = ['signer.sock', 'signer/operator.sock'].map((name) => join(launcher.dataDir, name))
  for (const path of paths) t.is(statSync(path).mode & 0o777, 0o600)
  const operator = await launcher.connect('operator')
  const running = operator.call(foundingCall(), 'operator')
  await sleep(50)
  t.is(await launcher.stop(), 0)
  t.true((await running).value.ok, 'what was running is answered')
  t.deepEqual(paths.filter(existsSync), [])
  t.deepEqual(await stillAlive(below), [])
})

test("it ends in order at every moment of a host's start", async (t) => {
  for (const delayMs of [0, 5, 10, 15, 20, 30, 60]) {
    const launcher = await startLauncher({ environment: oneHost })
    const [host] = launcher.hostPids()
    process.kill(host as number, 'SIGKILL')
    await sleep(delayMs)
    const below = descendantsOf(launcher.pid)
    t.is(await launcher.stop(), 0)
    t.deepEqual(await stillAlive(below), [], `${delayMs} ms`)
  }
})

test('the loss of the parent ends it, too', async (t) => {
  const launcher = await startLauncher({ environment: oneHost })
  launcher.process.disconnect()
  t.deepEqual(await stillAlive([launcher.pid]), [])
})

test('keys survive a restart; a lost or open key file is refused', async (t) => {
  const dataDir = makeDataDir()
  const launcher = await startLauncher({ dataDir, environment: oneHost })
  await launcher.stop()
  const wrapped = readFileSync(join(dataDir, 'signer/data-key.wrapped'))
  const key = readFileSync(keyFile(dataDir))
  await (await startLauncher({ dataDir, environment: oneHost })).stop()
  t.deepEqual(readFileSync(join(dataDir, 'signer/data-key.wrapped')), wrapped)

  chmodSync(keyFile(dataDir), 0o640)
  const open = await runLauncher({ dataDir, environment: oneHost })
  t.is(open.code, 1)
  t.regex(open.log, /file_mode_too_open/)

  rmSync(keyFile(dataDir))
  const lost = await runLauncher({ dataDir, environment: oneHost })
  t.is(lost.code, 1)
  t.regex(lost.log, /key_encryption_key_missing/)
  t.false(existsSync(keyFile(dataDir)), 'no new key was made')

  writeFileSync(keyFile(dataDir), key, { mode: 0o600 })
  rmSync(join(dataDir, 'signer/data-key.wrapped'))
  const half = await runLauncher({ dataDir, environment: oneHost })
  t.is(half.code, 1)
  t.regex(half.log, /data_key_missing/)
})

test('bad settings are all named at once', async (t) => {
  const environment = { KEYSTEAD_SIGNER_HOSTS: '0', KEYSTEAD_SIGNER_DEADLINE_MS: '1e4', KEYSTEAD_SIGNER_IDLE_MS: '' }
  const { code, log } = await runLauncher({ environment })
  t.is(code, 78)
  for (const name of Object.keys(environment)) t.regex(log, new RegExp(`${name} must be`))
})

test('a data directory whose socket path is too long is refused', async (t) => {
  const { code, log } = await runLauncher({ dataDir: join(makeDataDir(), 'x'.repeat(100)), environment: oneHost })
  t.is(code, 1)
  t.regex(log, /socket_path_too_long/)
})

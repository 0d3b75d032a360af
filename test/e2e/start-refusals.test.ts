/** What an operator can get wrong at the start is said in a sentence, with an exit code and without a stack. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import { newDataDir, startService } from '../support/service.ts'

const rootPath = join(import.meta.dirname, '../..')

function dataDirOf(t: ExecutionContext): string {
  const dataDir = newDataDir()
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

/** Runs what refuses to start. @returns what it said, without the launcher's log, whose lines are JSON. */
async function refusal(script: string, environment: Record<string, string>) {
  const env = { ...process.env, KEYSTEAD_LOCAL_CHAIN: 'off', KEYSTEAD_LOG_LEVEL: 'silent', ...environment }
  const child = spawn(process.execPath, [join(rootPath, script)], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await ended) as [number | null]
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  return { code, said }
}

test('a second start on the data folder of a running service touches nothing and says so', async (t) => {
  const service = await startService()
  t.teardown(() => service.dispose())
  const { dataDir } = service
  const devJson = readFileSync(join(dataDir, 'dev.json'), 'utf8')
  const environment = { KEYSTEAD_DATA_DIR: dataDir, KEYSTEAD_PORT: '0', KEYSTEAD_LOCAL_CHAIN: 'on' }
  const { code, said } = await refusal('cli/start.ts', environment)
  t.is(code, 1)
  t.deepEqual(said, [
    `keystead: another service runs on ${dataDir}: stop it, or choose another folder with KEYSTEAD_DATA_DIR`,
  ])
  t.is(readFileSync(join(dataDir, 'dev.json'), 'utf8'), devJson)
  t.false(existsSync(join(dataDir, 'dev-buyer.json')), 'no chain was started')

  const signer = await refusal('cli/signer.ts', environment)
  t.is(signer.code, 1)
  t.deepEqual(signer.said, [], 'the launcher’s own line is all')
})

test('a port that is taken', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { code, said } = await refusal('cli/start.ts', {
    KEYSTEAD_DATA_DIR: dataDirOf(t),
    KEYSTEAD_PORT: String(port),
    KEYSTEAD_SIGNER_HOSTS: '1',
  })
  t.is(code, 1)
  t.deepEqual(said, [`keystead: cannot listen on port ${port} of 127.0.0.1: something else listens there`])
})

test('a host without an address', async (t) => {
  const { code, said } = await refusal('cli/serve.ts', {
    KEYSTEAD_DATA_DIR: dataDirOf(t),
    KEYSTEAD_HOST: 'nowhere.invalid',
  })
  t.is(code, 1)
  t.deepEqual(said, ['keystead: no address is known of nowhere.invalid'])
})

/** @param says Result of each method. @returns its URL, in which there is a secret. */
async function nodeThat(t: ExecutionContext, says: (method: string) => string): Promise<string> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method } = JSON.parse(await text(request)) as { id: number; method: string }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: says(method) }))
  }
  const node = createHttpServer((...exchange) => void answer(...exchange)).listen(0, '127.0.0.1')
  t.teardown(() => node.close())
  await once(node, 'listening')
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}/SECRET`
}

test('an endpoint of another chain, whose URL is not shown', async (t) => {
  const { code, said } = await refusal('cli/serve.ts', {
    KEYSTEAD_DATA_DIR: dataDirOf(t),
    KEYSTEAD_PORT: '0',
    KEYSTEAD_RPC_URL: await nodeThat(t, () => '0x1'),
  })
  t.is(code, 1)
  const sentence = 'an endpoint of KEYSTEAD_RPC_URL is of another chain than 84532, the KEYSTEAD_CHAIN_ID'
  t.deepEqual(said, [`keystead: ${sentence}`])
})

test('a token of another EIP-712 domain', async (t) => {
  const domainSeparator = `0x${'ab'.repeat(32)}`
  const { code, said } = await refusal('cli/serve.ts', {
    KEYSTEAD_DATA_DIR: dataDirOf(t),
    KEYSTEAD_PORT: '0',
    KEYSTEAD_RPC_URL: await nodeThat(t, (method) => (method === 'eth_chainId' ? '0x14a34' : domainSeparator)),
    KEYSTEAD_X402_ASSET: `0x${'12'.repeat(20)}`,
    KEYSTEAD_X402_ASSET_NAME: 'SECRET',
  })
  t.is(code, 1)
  const settings = 'KEYSTEAD_X402_ASSET_NAME, KEYSTEAD_X402_ASSET_VERSION or KEYSTEAD_CHAIN_ID'
  t.deepEqual(said, [`keystead: ${settings} is not what KEYSTEAD_X402_ASSET itself says (EIP-712 domain)`])
})

for (const script of ['cli/start.ts', 'cli/serve.ts']) {
  test(`${script}: a store that cannot be reached, whose URL is not shown`, async (t) => {
    const { code, said } = await refusal(script, {
      KEYSTEAD_DATA_DIR: dataDirOf(t),
      KEYSTEAD_PORT: '0',
      KEYSTEAD_MONGODB_URL: 'mongodb://ann:SECRET@127.0.0.1:1/keystead',
      KEYSTEAD_SIGNER_HOSTS: '1',
    })
    t.is(code, 1)
    t.is(said.length, 1, said.join('\n'))
    t.regex(said[0] ?? '', /^keystead: no store: \w+ cannot be reached$/)
  })
}

test('a data folder that is a file', async (t) => {
  const file = join(dataDirOf(t), 'file')
  writeFileSync(file, '')
  const environment = { KEYSTEAD_DATA_DIR: file, KEYSTEAD_PORT: '0' }
  for (const script of ['cli/start.ts', 'cli/serve.ts']) {
    const { code, said } = await refusal(script, environment)
    t.is(code, 1)
    t.deepEqual(said, [`keystead: cannot make ${file}: a file has this name`], script)
  }
  const signer = await refusal('cli/signer.ts', environment)
  t.is(signer.code, 1)
  t.deepEqual(signer.said, [], 'the launcher’s own line is all')
})

test('a URL of MongoDB with an option that there is not', async (t) => {
  const { code, said } = await refusal('cli/serve.ts', {
    KEYSTEAD_DATA_DIR: dataDirOf(t),
    KEYSTEAD_MONGODB_URL: 'mongodb://ann:SECRET@127.0.0.1:1/keystead?noSuchOption=1',
  })
  t.is(code, 1)
  t.deepEqual(said, ['keystead: KEYSTEAD_MONGODB_URL is no URL that the driver of MongoDB takes'])
})

test('npm run signer takes the data folder from the file of settings', async (t) => {
  const dataDir = dataDirOf(t)
  const file = join(dataDir, 'settings.yaml')
  writeFileSync(file, `dataDir: ${join(dataDir, 'there')}\nsignerDeadlineMs: 1e9\n`)
  const environment = { KEYSTEAD_CONFIG: file, KEYSTEAD_SIGNER_HOSTS: '1' }
  const bad = await refusal('cli/signer.ts', environment)
  t.is(bad.code, 78)
  t.regex(bad.said.join('\n'), /KEYSTEAD_SIGNER_DEADLINE_MS/)

  writeFileSync(file, `dataDir: ${join(dataDir, 'there')}\nsignerDeadlineMs: 9000\nport: 1\n`)
  const rest = Object.entries(process.env).filter(([name]) => name !== 'KEYSTEAD_DATA_DIR')
  const env = { ...Object.fromEntries(rest), ...environment }
  const signer = spawn(process.execPath, [join(rootPath, 'cli/signer.ts')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  // It ends with the launcher, which writes to it as well.
  for await (const chunk of signer.stderr) {
    log += String(chunk)
    if (log.includes('launcher_ready')) signer.kill('SIGTERM')
  }
  t.regex(log, /launcher_ready/)
  t.true(existsSync(join(dataDir, 'there/signer/data-key.wrapped')))
})

/**
 * Where keys are not (C13): with every key of a running service known to the test, it looks through the memory of
 * all processes, the store and its log, the output and the answers. The signer hosts necessarily hold the data key;
 * a private key must be gone from them as soon as they have had a moment's rest.
 */
import { spawn } from 'node:child_process'
import { createDecipheriv, createECDH, createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto'
import { copyFileSync, existsSync, globSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { privateKeysSpec } from '../../gateway/documents.ts'
import { openStore } from '../../gateway/store/open-store.ts'
import { Client, type HttpAnswer } from '../support/client.ts'
import { distPath, engineName } from '../support/component.ts'
import { isAlive } from '../support/launcher.ts'
import { SecretSearch } from '../support/process-memory.ts'
import { killAll, processesOf, until, untilEnded } from '../support/processes.ts'
import { openKey } from '../support/sealed-keys.ts'
import { newDataDir, startService, type Service } from '../support/service.ts'

const run = process.platform === 'linux' ? test.serial : test.skip

const CURVES = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const
const KEYS_PER_CURVE = 3
const SIGNATURES_PER_KEY = 4
/** A host rests 200 ms after its last call. */
const REST_MS_MAX = 5_000

/** PKCS #8 up to the 32 bytes of an ed25519 seed (RFC 8410). */
const ED25519_PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

function publicKeyOf(curve: string, privateKey: Buffer): string {
  if (curve === 'ed25519') {
    const der = Buffer.concat([ED25519_PKCS8_HEAD, privateKey])
    const jwk = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).export({ format: 'jwk' })
    return Buffer.from(jwk.x as string, 'base64url').toString('hex')
  }
  const pair = createECDH(curve === 'p256' ? 'prime256v1' : 'secp256k1')
  pair.setPrivateKey(privateKey)
  return pair.getPublicKey('hex')
}

/** SP 800-38D with the format that launcher/kms/key-file.ts documents. */
function masterKeysOf(dataDir: string): { keyEncryptionKey: Buffer; dataKey: Buffer } {
  const keyEncryptionKey = readFileSync(join(dataDir, 'signer/key-encryption.key'))
  const wrapped = readFileSync(join(dataDir, 'signer/data-key.wrapped'))
  const decipher = createDecipheriv('aes-256-gcm', keyEncryptionKey, wrapped.subarray(1, 13))
  decipher.setAAD(Buffer.from('keystead data key, format 1')).setAuthTag(wrapped.subarray(45))
  return { keyEncryptionKey, dataKey: Buffer.concat([decipher.update(wrapped.subarray(13, 45)), decipher.final()]) }
}

/** Opens every stored key, independently of the engine; that each is the right one, its public key shows. */
async function privateKeysOf(t: ExecutionContext, dataDir: string, dataKey: Buffer): Promise<Record<string, Buffer>> {
  // The gateway has the file for itself; nobody writes while it is copied.
  const copyDir = newDataDir()
  t.teardown(() => rmSync(copyDir, { recursive: true, force: true }))
  for (const name of ['store.sqlite', 'store.sqlite-wal']) copyFileSync(join(dataDir, name), join(copyDir, name))
  const store = await openStore({ dataDir: copyDir })
  const { items } = await store.collection(privateKeysSpec).find({ where: {}, sort: '_id', limit: 1000 })
  await store.close()
  const opened = items.map(({ organizationId, sealedKey: { keyId, curve, publicKey, sealed } }, i) => {
    const identity = { curve, publicKey: Buffer.from(publicKey, 'hex'), organizationId, keyId }
    const privateKey = openKey(dataKey, Buffer.from(sealed, 'base64'), identity)
    t.is(publicKeyOf(curve, privateKey), publicKey)
    return [`${curve} key ${i}`, privateKey]
  })
  return Object.fromEntries(opened) as Record<string, Buffer>
}

/** Keys of every curve, each used; all that was answered. */
async function useKeys(client: Client): Promise<string> {
  const answers: HttpAnswer[] = []
  for (const curve of CURVES) {
    for (let key = 0; key < KEYS_PER_CURVE; key++) {
      const { privateKeyId } = await client.createKey(curve, ['ADDRESS_FORMAT_COMPRESSED'])
      for (let signature = 0; signature < SIGNATURES_PER_KEY; signature++) {
        const hashFunction = curve === 'CURVE_ED25519' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_SHA256'
        answers.push(await client.sign(privateKeyId, `payload ${signature}`, hashFunction))
      }
      answers.push(await client.query('get_private_key', { privateKeyId }))
    }
  }
  // Refusals talk, too.
  answers.push(await client.sign('nobody', 'x', 'HASH_FUNCTION_SHA256'))
  answers.push(await client.query('list_private_keys'))
  return answers.map((each) => each.text).join('\n')
}

run('no key is left in gateway, launcher, parent, store, logs or answers, nor in a rested host', async (t) => {
  const service = await startService()
  t.teardown(() => service.dispose())
  const client = new Client(service.dev.baseUrl, service.dev)
  const answers = await useKeys(client)
  const hostCount = countOf(service, '"host_ready"')
  // The launcher has had the data key in its hands once more, and not only at the start.
  killAll(processesOf(service).hosts.slice(0, 1))
  await until('another host', () => countOf(service, '"host_ready"') > hostCount)
  const more = await useKeys(client)

  const { keyEncryptionKey, dataKey } = masterKeysOf(service.dataDir)
  const privateKeys = await privateKeysOf(t, service.dataDir, dataKey)
  t.is(Object.keys(privateKeys).length, 2 * CURVES.length * KEYS_PER_CURVE)
  const sealingKey = Buffer.from(hkdfSync('sha256', dataKey, '', 'keystead/v1/sealed-key', 32))
  const masterKeys = { 'key-encryption key': keyEncryptionKey, 'data key': dataKey, 'sealing key': sealingKey }
  const anyKey = new SecretSearch({ ...privateKeys, ...masterKeys })
  const anyPrivateKey = new SecretSearch({ ...privateKeys, identity: identityOf(dataKey) })
  const anyMasterKey = new SecretSearch(masterKeys)

  const { cli, gateway = 0, launcher = 0, hosts, all } = processesOf(service)
  t.true(hosts.length > 0)
  const others = all.filter((each) => !hosts.includes(each))
  t.true([cli, gateway, launcher].every((each) => others.includes(each)))
  for (const pid of others) t.deepEqual(anyKey.inProcess(pid), [], `process ${pid}`)
  for (const pid of hosts) {
    await until('a rested host', () => anyPrivateKey.inProcess(pid).length === 0, REST_MS_MAX)
    // The same search finds what has to be there, in JavaScript and in the component's memory; of the key-encryption
    // key a host never hears.
    t.deepEqual(anyMasterKey.inProcess(pid), ['data key as raw bytes', 'sealing key as raw bytes'])
  }

  // Positive controls: each process has something that only the search of its own memory can find.
  const publicKey = new SecretSearch({ it: Buffer.from(service.dev.apiPublicKey, 'hex').subarray(1) })
  t.true(publicKey.inProcess(gateway).includes('it as hexadecimal'))
  const userKey = new SecretSearch({ it: Buffer.from(service.dev.apiPrivateKey, 'hex') })
  t.true(userKey.inProcess(cli).includes('it as hexadecimal'))
  t.deepEqual(userKey.inProcess(gateway), [], 'nor does the gateway know a user’s API key')
  const componentDigest = new SecretSearch({ it: Buffer.from(componentDigestOf(service), 'hex') })
  t.true(componentDigest.inProcess(launcher).includes('it as hexadecimal'))

  const files = globSync('**', { cwd: service.dataDir }).filter((path) =>
    statSync(join(service.dataDir, path)).isFile(),
  )
  t.true(
    files.includes('store.sqlite') && files.includes('store.sqlite-wal') && files.includes('signer/data-key.wrapped'),
  )
  for (const path of files) {
    const bytes = readFileSync(join(service.dataDir, path))
    const found = anyKey.inBytes(bytes)
    // The development key file is the key; that it lies there is said at every start.
    const expected = path === 'signer/key-encryption.key' ? ['key-encryption key as raw bytes'] : []
    t.deepEqual(found, expected, path)
  }
  t.deepEqual(anyKey.inBytes(Buffer.from(`${answers}${more}`)), [])
  t.deepEqual(anyKey.inBytes(Buffer.from(service.output())), [])
  t.true(answers.includes('signRawPayloadResult'))
})

function countOf(service: Service, text: string): number {
  return service.output().split(text).length - 1
}

function componentDigestOf(service: Service): string {
  return /"componentDigest":"([0-9a-f]{64})"/.exec(service.output())?.[1] ?? ''
}

/** What is found of a private key that was used in a host that may not rest. */
async function leftWithoutRest(t: ExecutionContext, engine: string, signatures: number): Promise<string[]> {
  const environment = {
    KEYSTEAD_SIGNER_IDLE_MS: '600000',
    KEYSTEAD_SIGNER_HOSTS: '1',
    KEYSTEAD_SIGNER_ENGINE: engine,
  }
  const service = await startService({ environment })
  t.teardown(() => service.dispose())
  const client = new Client(service.dev.baseUrl, service.dev)
  const { privateKeyId } = await client.createKey('CURVE_P256')
  for (let i = 0; i < signatures; i++) await client.sign(privateKeyId, `payload ${i}`, 'HASH_FUNCTION_SHA256')
  const { dataKey } = masterKeysOf(service.dataDir)
  const privateKeys = await privateKeysOf(t, service.dataDir, dataKey)
  const [host = 0] = processesOf(service).hosts
  return new SecretSearch({ ...privateKeys, identity: identityOf(dataKey) }).inProcess(host)
}

// That is why hosts rest: the reference engine leaves copies in its freed heap. The last private key at work here is the
// identity's, for the first receipt; whatever is done after it may lie where its copies did.
run('the search does find private keys: those that the reference engine leaves in its freed heap', async (t) => {
  const found = await leftWithoutRest(t, 'reference', 0)
  t.log(found.join(', '))
  t.not(found.length, 0)
})

const runFast = engineName === 'fast' ? run : test.skip
runFast('the fast engine leaves none, without any rest', async (t) => {
  t.deepEqual(await leftWithoutRest(t, 'fast', SIGNATURES_PER_KEY), [])
})

/** The signer's own private key, made of its 48-byte sub-key (FIPS 186-5 A.2.1). */
function identityOf(dataKey: Buffer): Buffer {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const wide = BigInt(`0x${Buffer.from(hkdfSync('sha256', dataKey, '', 'keystead/v1/identity', 48)).toString('hex')}`)
  return Buffer.from(((wide % (order - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex')
}

run('every form of a secret is found', (t) => {
  const secret = Buffer.from(Array.from({ length: 32 }, (_, i) => 200 - 3 * i))
  const search = new SecretSearch({ it: secret })
  const around = (bytes: Buffer) => Buffer.concat([Buffer.alloc(1_001), bytes, Buffer.alloc(7)])
  const hex = secret.toString('hex')
  for (const [form, text] of Object.entries({
    hexadecimal: hex,
    'upper-case hexadecimal': hex.toUpperCase(),
    base64: secret.toString('base64'),
    base64url: secret.toString('base64url'),
    decimal: BigInt(`0x${hex}`).toString(),
    'list of numbers': secret.join(','),
  })) {
    t.true(search.inBytes(around(Buffer.from(text))).includes(`it as ${form}`), form)
    t.true(search.inBytes(around(Buffer.from(text, 'utf16le'))).includes(`it as ${form} in UTF-16`), form)
  }
  for (let piece = 0; piece < 32; piece += 8) {
    const bytes = secret.subarray(piece, piece + 8)
    t.deepEqual(search.inBytes(around(bytes)), ['it as raw bytes'])
    t.deepEqual(search.inBytes(around(Buffer.from(bytes.toReversed()))), ['it as reversed bytes'])
  }
  t.deepEqual(search.inBytes(around(secret.map((byte) => byte ^ 1) as Buffer)), [])
})

/** As a user starts it in a shell that allows core files. */
async function startWithCoreFiles(t: ExecutionContext): Promise<Service> {
  const dataDir = newDataDir()
  const settings = { KEYSTEAD_PORT: '0', KEYSTEAD_LOCAL_CHAIN: 'off', KEYSTEAD_DATA_DIR: dataDir }
  const environment = { ...process.env, ...settings }
  const start = [process.execPath, join(import.meta.dirname, '../../cli/start.ts')]
  const command = ['-c', 'ulimit -c unlimited; exec "$@"', 'sh', ...start]
  const child = spawn('/bin/sh', command, { cwd: dataDir, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stop = async () => {
    child.kill('SIGTERM')
    await until('its end', () => child.exitCode !== null || child.signalCode !== null)
  }
  const dispose = async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  t.teardown(dispose)
  await until('dev.json', () => existsSync(join(dataDir, 'dev.json')))
  const dev = JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as Service['dev']
  return { dataDir, dev, process: child, output: () => output, stop, dispose }
}

function coreLimitsOf(pid: number): string[] {
  const line = readFileSync(`/proc/${pid}/limits`, 'utf8')
    .split('\n')
    .find((each) => each.startsWith('Max core file size'))
  return line?.slice(26).trim().split(/\s+/).slice(0, 2) ?? []
}

run('a process that crashes leaves no core file', async (t) => {
  const service = await startWithCoreFiles(t)
  const { cli, gateway = 0, launcher = 0, hosts, all } = processesOf(service)
  t.deepEqual(coreLimitsOf(cli), ['unlimited', 'unlimited'], 'the shell would allow it')
  for (const pid of all.filter((each) => each !== cli)) t.deepEqual(coreLimitsOf(pid), ['0', '0'], `process ${pid}`)

  const directories = [...new Set([gateway, launcher, ...hosts].map((pid) => readlinkSync(`/proc/${pid}/cwd`)))]
  const places = [...directories, service.dataDir, distPath].filter(existsSync)
  const coresIn = () =>
    places.flatMap((place) =>
      readdirSync(place)
        .filter((name) => /^core(?:\.|$)/.test(name))
        .map((name) => join(place, name)),
    )
  const before = coresIn()
  const client = new Client(service.dev.baseUrl, service.dev)
  const { privateKeyId } = await client.createKey('CURVE_P256')
  for (const victim of [hosts[0] as number, launcher]) {
    killAll([victim], 'SIGSEGV')
    await untilEnded([victim])
    await until('a signature', async () => {
      const answer = await client.sign(privateKeyId, `after ${victim}`, 'HASH_FUNCTION_SHA256', String(victim))
      return answer.json.activity?.status === 'ACTIVITY_STATUS_COMPLETED'
    })
    t.false(isAlive(victim))
  }
  t.regex(service.output(), /"event":"host_exit"/)
  t.deepEqual(coresIn(), before)
  for (const pid of processesOf(service).all.filter((each) => each !== cli)) t.deepEqual(coreLimitsOf(pid), ['0', '0'])
})

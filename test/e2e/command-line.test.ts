/** The command line against a running service: found an organization, use it, export and check its log. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import test from 'ava'
import { Client, type Credentials } from '../support/client.ts'
import { keystead, keysteadBeside, newFolder } from '../support/keystead.ts'
import { startService } from '../support/service.ts'

const service = await startService()
test.after.always(() => service.dispose())

interface KeyFiles {
  publicKey: string
  publicKeyFile: string
  privateKeyFile: string
}
const newKey = (folder: string, name: string) =>
  JSON.parse(keystead(['api-key', 'create', '-k', name, '-d', folder]).stdout) as KeyFiles

test('an organization with two root users, whose log is exported and checked', async (t) => {
  const folder = newFolder(t)
  const [ann, bob] = [newKey(folder, 'ann'), newKey(folder, 'bob')]
  const rootUsers = ['-r', `ann=${ann.publicKeyFile}`, '-r', `bob=${bob.publicKey}`]
  const created = keystead(['org', 'create', '--name', 'Acme', ...rootUsers, '--data-dir', service.dataDir])
  t.is(created.code, 0, created.stderr)
  const { organizationId, rootUsers: users } = JSON.parse(created.stdout) as {
    organizationId: string
    rootUsers: { userId: string; userName: string }[]
  }
  for (const [i, key] of [ann, bob].entries()) {
    const apiPrivateKey = readFileSync(key.privateKeyFile, 'utf8')
    const client = new Client(service.dev.baseUrl, { organizationId, apiPublicKey: key.publicKey, apiPrivateKey })
    const { json } = await client.query('whoami')
    t.is(json.organizationName, 'Acme')
    t.deepEqual({ userId: json.userId, userName: json.username }, users[i])
    await client.createKey('CURVE_P256')
    const credentials = { ...client.credentials, baseUrl: service.dev.baseUrl }
    writeFileSync(join(folder, `${i}.json`), JSON.stringify(credentials))
  }
  const log = join(folder, 'log.jsonl')
  const exported = await keysteadBeside(['log', 'export', log, '--credentials', join(folder, '1.json'), '--activities'])
  t.deepEqual([exported.code, exported.stdout], [0, `2 receipts written to ${log}\n`])
  const verify = () => keystead(['log', 'verify', log, '--public-key', service.dev.signerPublicKey])
  t.is(verify().code, 0)
  writeFileSync(log, readFileSync(log, 'utf8').replace('COMPLETED', 'COMPLETEX'))
  t.is(verify().code, 1)
})

test('a service user with the policies of a document: made once, with a key of its own', async (t) => {
  const folder = newFolder(t)
  const { baseUrl, operator } = service.dev
  const [credentials, keyFile] = [join(folder, 'root.json'), join(folder, 'x402.json')]
  writeFileSync(credentials, JSON.stringify({ ...operator, baseUrl }))
  const values = {
    relayers: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    chainId: '8453',
    token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    gasLimitMax: '1',
    feeCeiling: '1',
    cancelFeeCeiling: '2',
  }
  const create = (parameters: object, name = 'facilitator', to = keyFile) =>
    keysteadBeside([
      ...['service-user', 'create', '--name', name, '--policies', 'policies/examples/x402-key.yaml'],
      ...['--key-file', to, '--credentials', credentials],
      ...Object.entries(parameters).flatMap(([parameter, value]) => ['--set', `${parameter}=${value}`]),
    ])
  const { token: _, ...incomplete } = values
  const refused = await create(incomplete)
  t.deepEqual([refused.code, refused.stdout, existsSync(keyFile)], [1, '', false])
  t.regex(refused.stderr, /the parameter token is not set/)
  t.regex((await create(values, 'root', join(folder, 'root-key.json'))).stderr, /root is a root user/)

  const made = await create(values)
  t.is(made.code, 0, made.stderr)
  const { userId, publicKey } = JSON.parse(made.stdout) as { userId: string; publicKey: string }
  t.is(statSync(keyFile).mode & 0o777, 0o600)
  const key = JSON.parse(readFileSync(keyFile, 'utf8')) as Credentials
  t.is(key.apiPublicKey, publicKey)
  t.false(made.stdout.includes(key.apiPrivateKey))
  const { json } = await new Client(baseUrl, key).query('whoami')
  t.deepEqual({ userId: json.userId, userName: json.username }, { userId, userName: 'facilitator' })
  const again = await create({ ...values, feeCeiling: '7' })
  t.is(again.stdout, made.stdout, again.stderr)
  const { json: listed } = await new Client(baseUrl, key).query('list_policies')
  const conditions = (listed.policies as { condition: string }[]).map(({ condition }) => condition)
  t.is(conditions.length, 3)
  t.true(conditions.some((text) => text.endsWith('eth.tx.max_fee_per_gas <= 7')))
})

test('what cannot be founded is said in one sentence, and ends with 1', (t) => {
  const key = '02'.padEnd(66, '1')
  const fails = (parameters: string[], sentence: RegExp, dataDir = service.dataDir) => {
    const { code, stdout, stderr } = keystead(['org', 'create', '-n', 'Acme', ...parameters, '--data-dir', dataDir])
    t.deepEqual([code, stdout], [1, ''])
    t.regex(stderr, sentence)
    t.is(stderr.split('\n').length, 2, stderr)
  }
  fails(['-r', 'ann=nowhere.public'], /neither a file with a public key nor a compressed P-256 key/)
  fails(['-r', key], /is not like alice=alice\.public/)
  fails(['-r', `ann=${key}`, '-t', '2'], /threshold must be a number from 1 to 1/)
  fails(['-r', `ann=${key}`, '-t', 'one'], /threshold must be a number/)
  fails(['-r', `${'a'.repeat(300)}=${key}`], /the signer refused: /)
  fails(['-r', `ann=${key}`], /no signer runs in /, newFolder(t))
})

test('the operator socket is the user’s own, and stores nothing that is no organization', async (t) => {
  const socketPath = join(service.dataDir, 'gateway.sock')
  t.is(statSync(socketPath).mode & 0o777, 0o600)
  const post = (path: string, body: string) =>
    new Promise((resolve, reject) => {
      const call = request({ socketPath, path, method: 'POST' }, (answer) => resolve(answer.resume().statusCode))
      call.once('error', reject).end(body)
    })
  const organization = (organizationId: string) =>
    JSON.stringify({ text: JSON.stringify({ organizationId }), seal: '0'.repeat(64) })
  t.is(await post('/organizations', 'no JSON'), 400)
  t.is(await post('/organizations', organization('no UUID')), 400)
  t.is(await post('/organizations', organization(service.dev.organizationId)), 409)
  t.is(await post('/public/v1/query/whoami', '{}'), 404)
})

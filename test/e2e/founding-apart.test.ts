/** Founding as with docker-compose.yml: one command reaches the signer only, the other the gateway only. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { Client } from '../support/client.ts'
import { startDividedService, type DividedService } from '../support/divided-service.ts'
import { keystead, newFolder } from '../support/keystead.ts'

/** As `/tmp` of the gateway's container: the folder that it shares with the launcher it cannot write. */
const own = mkdtempSync(join(tmpdir(), 'ks-'))
const KEYSTEAD_OPERATOR_SOCKET = join(own, 'operator.sock')
let service: DividedService
test.before(async () => {
  service = await startDividedService({ KEYSTEAD_OPERATOR_SOCKET })
})
test.after.always(async () => {
  await service.dispose()
  rmSync(own, { recursive: true })
})

test('founded where the signer is, stored where the store is', async (t) => {
  const folder = newFolder(t)
  const key = JSON.parse(keystead(['api-key', 'create', '-k', 'ann', '-d', folder]).stdout)
  const publicKey = readFileSync(join(folder, 'ann.public'), 'utf8')
  const create = ['org', 'create', '--name', 'Acme', '--root-user', `ann=${publicKey}`, '--record']
  const created = keystead(create, { environment: { KEYSTEAD_DATA_DIR: service.dataDir } })
  t.is(created.code, 0, created.stderr)
  const { organizationId, rootUsers } = JSON.parse(created.stderr)
  const credentials = {
    organizationId,
    apiPublicKey: publicKey,
    apiPrivateKey: readFileSync(key.privateKeyFile, 'utf8'),
  }
  const client = new Client(service.baseUrl, credentials)
  t.is((await client.query('whoami')).status, 404, 'it is nowhere yet')

  const store = (input: string, socket = KEYSTEAD_OPERATOR_SOCKET) =>
    keystead(['org', 'store'], {
      input,
      environment: { KEYSTEAD_DATA_DIR: folder, KEYSTEAD_OPERATOR_SOCKET: socket },
    })
  const stored = store(created.stdout)
  t.deepEqual([stored.code, JSON.parse(stored.stdout)], [0, { organizationId }])
  t.like((await client.query('whoami')).json, { organizationName: 'Acme', userId: rootUsers[0].userId })

  t.deepEqual([store(created.stdout).code, store('no record').code], [1, 1], 'once, and nothing else')
  t.regex(store('{}').stderr, /stdin holds no record/)
})

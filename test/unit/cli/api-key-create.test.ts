import { createECDH } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { keystead, newFolder } from '../../support/keystead.ts'

interface Files {
  publicKey: string
  publicKeyFile: string
  privateKeyFile: string
  metadataFile: string
}

const organizationId = '5f3d4a4e-6a5c-4d9b-8f6e-0a1b2c3d4e5f'

test('files that the SDKs and their command line read; the private key is printed nowhere', (t) => {
  const folder = join(newFolder(t), 'keys')
  const call = ['api-key', 'create', '--key-name', 'ops', '--keys-folder', folder, '-o', organizationId]
  const { code, stdout, stderr } = keystead(call)
  t.deepEqual([code, stderr], [0, ''])
  const { publicKey, ...files } = JSON.parse(stdout) as Files
  t.deepEqual(files, {
    publicKeyFile: join(folder, 'ops.public'),
    privateKeyFile: join(folder, 'ops.private'),
    metadataFile: join(folder, 'ops.meta'),
  })
  const privateKey = readFileSync(files.privateKeyFile, 'utf8')
  t.regex(privateKey, /^[0-9a-f]{64}$/)
  t.false(stdout.includes(privateKey))
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey, 'hex')
  t.is(pair.getPublicKey('hex', 'compressed'), publicKey)
  t.is(readFileSync(files.publicKeyFile, 'utf8'), publicKey)
  t.deepEqual(JSON.parse(readFileSync(files.metadataFile, 'utf8')), {
    name: 'ops',
    organizations: [organizationId],
    public_key: publicKey,
    scheme: 'SIGNATURE_SCHEME_TK_API_P256',
  })
  const modeOf = (path: string) => statSync(path).mode & 0o777
  t.is(modeOf(files.privateKeyFile), 0o600)
  t.is(modeOf(files.publicKeyFile), 0o644)
  t.is(modeOf(folder), 0o700)

  const again = keystead(call)
  t.deepEqual([again.code, again.stderr], [1, `keystead: a key named ops is in ${folder} already\n`])
  t.is(readFileSync(files.privateKeyFile, 'utf8'), privateKey)
})

test('without a folder, where those clients look for keys', (t) => {
  const config = newFolder(t)
  keystead(['api-key', 'create', '-k', 'default'], { environment: { XDG_CONFIG_HOME: config } })
  t.true(existsSync(join(config, 'turnkey/keys/default.private')))
})

test('names that would leave the folder, and folders that cannot be written, are refused', (t) => {
  const folder = newFolder(t)
  for (const name of ['../ops', 'a/b', '.ops', '', 'x'.repeat(65)]) {
    t.is(keystead(['api-key', 'create', '-k', name, '-d', folder]).code, 1, name)
  }
  writeFileSync(join(folder, 'file'), '')
  const { code, stderr } = keystead(['api-key', 'create', '-k', 'ops', '-d', join(folder, 'file/keys')])
  t.is(code, 1)
  t.regex(stderr, /^keystead: .* cannot be written \(E\w+\)\n$/)
  mkdirSync(join(folder, 'taken'))
  writeFileSync(join(folder, 'taken/ops.private'), 'kept')
  t.is(keystead(['api-key', 'create', '-k', 'ops', '-d', join(folder, 'taken')]).code, 1)
  t.is(readFileSync(join(folder, 'taken/ops.private'), 'utf8'), 'kept')
  t.false(existsSync(join(folder, 'taken/ops.public')))
  t.is(keystead(['api-key', 'create']).code, 2)
})

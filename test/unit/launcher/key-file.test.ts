import test from 'ava'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataKey } from '../../../signer-core/launcher/data-key.ts'
import { createFileDurably } from '../../../signer-core/launcher/files.ts'
import { openKeyFile } from '../../../signer-core/launcher/kms/key-file.ts'
import { kmsAdapters } from '../../../signer-core/launcher/kms/index.ts'

const newDirectory = () => mkdtempSync(join(tmpdir(), 'ks-kms-'))
const keyPath = (directory: string) => join(directory, 'key-encryption.key')
const wrappedPath = (directory: string) => join(directory, 'data-key.wrapped')
const dataKey = Uint8Array.from({ length: 32 }, (_, i) => i)
const context = Buffer.from('context')

for (const [name, open] of Object.entries(kmsAdapters)) {
  test(`${name}: what was wrapped is unwrapped, under the same context only`, async (t) => {
    const kms = open({ directory: newDirectory(), firstStart: true })
    t.is(kms.name, name)
    const wrapped = await kms.wrap(dataKey, context)
    t.false(Buffer.from(wrapped).includes(Buffer.from(dataKey.subarray(0, 8))))
    t.deepEqual(Uint8Array.from(await kms.unwrap(wrapped, context)), dataKey)
    t.notDeepEqual(await kms.wrap(dataKey, context), wrapped)
    await t.throwsAsync(kms.unwrap(wrapped, Buffer.from('other')), { message: /damaged/ })
    await t.throwsAsync(kms.unwrap(wrapped, new Uint8Array(0)), { message: /damaged/ })
  })

  test(`${name}: a wrapped key that was altered anywhere or cut is refused`, async (t) => {
    const kms = open({ directory: newDirectory(), firstStart: true })
    const wrapped = await kms.wrap(dataKey, context)
    for (let i = 0; i < wrapped.length * 8; i++) {
      const altered = Uint8Array.from(wrapped)
      altered[i >> 3] = (altered[i >> 3] as number) ^ (1 << (i & 7))
      await t.throwsAsync(kms.unwrap(altered, context), undefined, `bit ${i}`)
    }
    for (let length = 0; length < wrapped.length; length++) {
      await t.throwsAsync(kms.unwrap(wrapped.subarray(0, length), context), undefined, `length ${length}`)
    }
  })
}

test('the key file is private; one that is not, is refused', async (t) => {
  const directory = newDirectory()
  const kms = openKeyFile({ directory, firstStart: true })
  const { mode, size } = statSync(keyPath(directory))
  t.is(mode & 0o777, 0o600)
  t.is(size, 32)
  for (const open of [0o640, 0o604, 0o620, 0o601]) {
    chmodSync(keyPath(directory), open)
    t.throws(() => openKeyFile({ directory, firstStart: false }), { message: /open to group or others/ })
    await t.throwsAsync(kms.wrap(dataKey, context), { message: /open to group or others/ })
  }
  chmodSync(keyPath(directory), 0o400)
  t.notThrows(() => openKeyFile({ directory, firstStart: false }))
})

test('a key file that is missing, too short, too long or a link is refused', (t) => {
  const directory = newDirectory()
  const open = () => openKeyFile({ directory, firstStart: false })
  t.throws(open, { message: /is missing/ })
  t.deepEqual(readdirSync(directory), [])
  writeFileSync(keyPath(directory), Buffer.alloc(31), { mode: 0o600 })
  t.throws(open, { message: /exactly 32 bytes/ })
  writeFileSync(keyPath(directory), Buffer.alloc(33))
  t.throws(open, { message: /too long/ })
  rmSync(keyPath(directory))
  writeFileSync(join(directory, 'other'), Buffer.alloc(32), { mode: 0o600 })
  symlinkSync('other', keyPath(directory))
  t.throws(open)
})

test('the data key is made once and never in place of a lost one', async (t) => {
  const directory = newDirectory()
  const first = await (await openDataKey(directory, openKeyFile))()
  t.is(statSync(wrappedPath(directory)).mode & 0o777, 0o600)
  t.deepEqual(readdirSync(directory).toSorted(), ['data-key.wrapped', 'key-encryption.key'])
  const unwrap = await openDataKey(directory, openKeyFile)
  t.deepEqual(await unwrap(), first)
  t.not(await unwrap(), await unwrap(), 'each caller gets memory of its own')

  const wrapped = readFileSync(wrappedPath(directory))
  rmSync(wrappedPath(directory))
  await t.throwsAsync(openDataKey(directory, openKeyFile), { message: /the data key that it protects does not/ })
  await t.throwsAsync(unwrap(), { message: /missing/ })
  createFileDurably(wrappedPath(directory), wrapped)
  rmSync(keyPath(directory))
  await t.throwsAsync(openDataKey(directory, openKeyFile), { message: /key-encryption.key is missing/ })
})

test('a KMS that returns something else than 32 bytes is refused', async (t) => {
  const kms = { name: 'short', wrap: async () => Buffer.alloc(4), unwrap: async () => Buffer.alloc(31) }
  const unwrap = await openDataKey(newDirectory(), () => kms)
  await t.throwsAsync(unwrap(), { message: /wrong length/ })
})

test('a file is never replaced', (t) => {
  const directory = newDirectory()
  createFileDurably(join(directory, 'a'), Buffer.of(1))
  t.throws(() => createFileDurably(join(directory, 'a'), Buffer.of(2)), { code: 'EEXIST' })
  t.deepEqual(readFileSync(join(directory, 'a')), Buffer.of(1))
  t.deepEqual(readdirSync(directory), ['a'])
})

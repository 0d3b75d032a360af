import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createECDH } from 'node:crypto'
import test from 'ava'
import { keystead, newFolder } from '../../support/keystead.ts'

const pair = createECDH('prime256v1')
const publicKey = pair.generateKeys('hex')

test('0 for a sound log, 1 for a damaged one, 2 for what cannot be read', (t) => {
  const folder = newFolder(t)
  const [sound, damaged, head] = ['sound.jsonl', 'damaged.jsonl', 'head.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(sound, '')
  writeFileSync(damaged, '{}\n')
  const verify = (...parameters: string[]) => keystead(['log', 'verify', ...parameters])
  const well = verify(sound, '--public-key', publicKey, '--write-head', head)
  t.is(well.code, 0)
  t.true(well.stdout.startsWith('0 entries in 0 chains: nothing is wrong.\n'))
  t.true(well.stdout.includes(readFileSync(head, 'utf8').trim()))
  t.is(verify(sound, '--public-key', publicKey, '--head', head).code, 0)
  const wrong = verify(damaged, '--public-key', publicKey)
  t.deepEqual([wrong.code, wrong.stderr], [1, 'Line 1 is not as the export writes it.\n'])
  t.is(verify(sound, '--public-key', publicKey.slice(2)).code, 2)
  t.is(verify(join(folder, 'nowhere'), '--public-key', publicKey).code, 2)
})

test('an export that cannot be made ends with 1 and leaves no file', (t) => {
  const file = join(newFolder(t), 'log.jsonl')
  const { code, stderr } = keystead(['log', 'export', file, '--credentials', join(file, 'nothing.json')])
  t.is(code, 1)
  t.regex(stderr, /^keystead: not exported: /)
})

test('a key file taken for credentials is refused without a word of it', (t) => {
  const folder = newFolder(t)
  const key = join(folder, 'alice.private')
  writeFileSync(key, 'deadbeef'.repeat(8))
  const { code, stderr } = keystead(['log', 'export', join(folder, 'log.jsonl'), '--credentials', key])
  t.is(code, 1)
  t.is(stderr, `keystead: not exported: ${key} does not hold credentials as JSON\n`)
})

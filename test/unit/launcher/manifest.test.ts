import test from 'ava'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkManifest } from '../../../signer-core/launcher/manifest.ts'

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex')

function buildToy(): string {
  const dist = mkdtempSync(join(tmpdir(), 'ks-dist-'))
  const files = { 'host.mjs': 'host', 'signer.core.wasm': 'wasm' }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text)
  const digests = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, sha256Hex(text)]))
  writeFileSync(join(dist, 'manifest.json'), JSON.stringify({ componentDigest: 'abcd', files: digests }))
  return dist
}

test('an unaltered build gives its component digest', (t) => {
  t.is(checkManifest(buildToy()), 'abcd')
})

const faults: Record<string, (dist: string) => void> = {
  'an altered byte': (dist) => writeFileSync(join(dist, 'host.mjs'), 'hosT'),
  'a missing file': (dist) => rmSync(join(dist, 'host.mjs')),
  'an added file': (dist) => writeFileSync(join(dist, 'extra.js'), ''),
  'an added file in a folder': (dist) => {
    mkdirSync(join(dist, 'a'))
    writeFileSync(join(dist, 'a/extra.js'), '')
  },
  'a link': (dist) => {
    rmSync(join(dist, 'host.mjs'))
    writeFileSync(`${dist}.mjs`, 'host')
    symlinkSync(`${dist}.mjs`, join(dist, 'host.mjs'))
  },
  'a manifest that is not JSON': (dist) => writeFileSync(join(dist, 'manifest.json'), '{'),
  'a manifest without files': (dist) => writeFileSync(join(dist, 'manifest.json'), '{"componentDigest":"a"}'),
}
for (const [name, spoil] of Object.entries(faults)) {
  test(`refused: ${name}`, (t) => {
    const dist = buildToy()
    spoil(dist)
    t.throws(() => checkManifest(dist), { name: 'StartError', message: /differs from its manifest/ })
  })
}

test('without a build the message says what to do', (t) => {
  t.throws(() => checkManifest('/nonexistent'), { message: /npm run build/ })
})

/** What the built file can reach and what it repeats: read from the artefact, not from the sources. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { componentWit } from '@bytecodealliance/jco'
import test from 'ava'
import { Bench, distPath, engineName, firstPlace, newComponent } from '../support/component.ts'

const componentPath = join(
  import.meta.dirname,
  `../../node_modules/.cache/keystead/signer-${engineName}.component.wasm`,
)

/** The interfaces that a component's WIT imports and exports. */
function bordersOf(wit: string): { imports: string[]; exports: string[] } {
  const world = /world root \{([^}]*)\}/.exec(wit)?.[1] ?? ''
  const named = (word: string) =>
    [...world.matchAll(new RegExp(`^\\s*${word} ([^;]+);`, 'gm'))].map((each) => each[1] as string)
  return { imports: named('import'), exports: named('export') }
}

test('the only import is entropy; exported are the gate and the vault', async (t) => {
  const wit = await componentWit(readFileSync(componentPath))
  t.deepEqual(bordersOf(wit), {
    imports: ['keystead:engine/entropy@0.1.0'],
    exports: ['keystead:signer/gate@0.1.0', 'keystead:engine/vault@0.1.0'],
  })
})

test('the file that is read is the one that was built', (t) => {
  const manifest = JSON.parse(readFileSync(join(distPath, 'manifest.json'), 'utf8')) as { componentDigest: string }
  t.is(createHash('sha256').update(readFileSync(componentPath)).digest('hex'), manifest.componentDigest)
})

test('the reading of borders sees a planted import', (t) => {
  const planted = 'world root {\n  import keystead:engine/entropy@0.1.0;\n  import wasi:clocks/wall-clock@0.2.3;\n}'
  t.is(bordersOf(planted).imports.length, 2)
})

test('the transpiled code loads nothing besides', (t) => {
  const code = readFileSync(join(distPath, 'signer.js'), 'utf8')
  t.deepEqual([...code.matchAll(/^import .*$/gm)], [])
  t.deepEqual(code.match(/\bprocess\b|\brequire\(|\bimport\(/g), null)
})

test('two fresh instances draw different keys, and every key asks the host for entropy', async (t) => {
  const dataKey = randomBytes(32)
  const organizationId = randomUUID()
  const [a, b] = [await Bench.open(dataKey, organizationId), await Bench.open(dataKey, organizationId)]
  for (const curve of ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256']) {
    t.notDeepEqual(a.create(curve).key.publicKey, b.create(curve).key.publicKey)
  }
})

test('the key comes from the host’s entropy and from nowhere else', async (t) => {
  const drawn: number[] = []
  const fixed = async () => {
    const component = await newComponent((length) => {
      drawn.push(length)
      return new Uint8Array(length).fill(9)
    })
    component.vault.load(new Uint8Array(32).fill(1))
    return component
  }
  const founding = (await import('../support/component.ts')).foundingOf(randomUUID())
  const keys = await Promise.all(
    [await fixed(), await fixed()].map(async (component) => {
      const organization = component.gate.foundOrganization(JSON.stringify(founding), 0n)
      const { organizationId } = founding as { organizationId: string }
      const privateKeys = [{ privateKeyName: 'k', curve: 'CURVE_ED25519', privateKeyTags: [], addressFormats: [] }]
      const type = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2'
      const body = JSON.stringify({ type, timestampMs: '1', organizationId, parameters: { privateKeys } })
      const { newKeys } = component.gate.perform({
        activityId: organizationId,
        body,
        bodyDigest: new Uint8Array(32),
        stampScheme: 'SIGNATURE_SCHEME_TK_API_P256',
        stampPublicKey: `02${'11'.repeat(32)}`,
        nowMs: 1n,
        organization,
        organizationDigest: new Uint8Array(32),
        organizationSeen: undefined,
        keys: [],
        wallets: [],
        exportedIds: [],
        importTarget: undefined,
        evaluation: undefined,
        votes: [],
        target: undefined,
        place: firstPlace(),
      })
      return newKeys[0]?.key
    }),
  )
  t.deepEqual(keys[0], keys[1])
  t.true(drawn.includes(12), 'a nonce is drawn')
})

test('what could run text as code, or pass for randomness, is gone', async (t) => {
  for (const folder of ['gate', 'engine-reference']) {
    const entry = readFileSync(join(import.meta.dirname, '../../signer-core', folder, 'exports.ts'), 'utf8')
    t.is(/^import .*$/m.exec(entry)?.[0], "import '../guest/lockdown.ts'", `${folder} imports the lockdown first`)
  }
})

/**
 * `npm run build`: the signer component and its host, into `signer-core/dist/<engine>`: with the reference engine always,
 * with the fast one when `npm run build:engine` has made it. Incremental: a step whose inputs did not change takes its
 * result from the cache. The components are not reproducible bit for bit (QuickJS puts hash seeds into its snapshot),
 * so each is built once and known by its digest.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { componentize } from 'componentize-qjs'
import { bundleGuest, bundleHost } from './bundle.ts'
import { compose } from './compose.ts'
import { findFastEngine } from './engine-c/fast-engine.ts'
import { inputsDigest } from './inputs.ts'
import { transpile } from './transpile.ts'

type EngineName = 'reference' | 'fast'

const rootPath = join(import.meta.dirname, '../..')
const corePath = join(rootPath, 'signer-core')
const distPath = join(corePath, 'dist')
const cachePath = join(rootPath, 'node_modules/.cache/keystead')

const guestFolders = ['signer-core/wit', 'signer-core/guest', 'signer-core/protocol', 'policies']
const referenceInputs = inputsDigest(rootPath, [...guestFolders, 'signer-core/engine-reference'])
const gateInputs = inputsDigest(rootPath, [...guestFolders, 'signer-core/gate'])
const hostInputs = inputsDigest(rootPath, ['signer-core/host', 'signer-core/protocol'])
const fast = findFastEngine()

mkdirSync(cachePath, { recursive: true })
mkdirSync(distPath, { recursive: true })
await build('reference', referenceInputs, () => guest('engine-reference', 'wit/deps/engine', 'engine-world'))
if (fast !== undefined) await build('fast', digestOf(fast), () => Promise.resolve(fast))
else {
  // An older one would decide and sign by rules of yesterday.
  rmSync(join(distPath, 'fast'), { recursive: true, force: true })
  console.log('build: without the fast engine, which `npm run build:engine` makes')
}

async function build(name: EngineName, engineInputs: string, makeEngine: () => Promise<Uint8Array>): Promise<void> {
  const inputs = digestOf(engineInputs + gateInputs + hostInputs)
  if (isBuilt(name, inputs)) {
    console.log(`build: ${name} up to date`)
    return
  }
  const engine = await step('engine', engineInputs, makeEngine)
  const gate = await step('gate', gateInputs, () => guest('gate', 'wit', 'gate-world'))
  const component = await step('component', engineInputs + gateInputs, () => compose(engine, gate))
  const files = await timed('transpile', () => transpile(component, join(cachePath, 'transpile.wasm')))
  const host = await timed('host', () => bundleHost(join(corePath, 'host/main.ts')))
  files.set('host.mjs', Buffer.from(host))
  files.set('package.json', Buffer.from('{"type":"module"}\n'))
  writeFileSync(enginePathOf(name), engine)
  writeFileSync(componentPathOf(name), component)
  writeDist(name, inputs, files, digestOf(component))
  console.log(`build: ${name} component ${component.length} bytes, sha256 ${digestOf(component)}`)
}

/** The components as single files lie in the cache, which `npm ci` empties, and tests read them: without them we build anew. */
function isBuilt(name: EngineName, inputs: string): boolean {
  const path = join(distPath, name, 'manifest.json')
  if (![path, enginePathOf(name), componentPathOf(name)].every((each) => existsSync(each))) return false
  return JSON.parse(readFileSync(path, 'utf8')).inputs === inputs
}

function enginePathOf(name: EngineName): string {
  return join(cachePath, `engine-${name}.component.wasm`)
}

function componentPathOf(name: EngineName): string {
  return join(cachePath, `signer-${name}.component.wasm`)
}

async function guest(folder: string, witPath: string, world: string): Promise<Uint8Array> {
  const jsSource = await bundleGuest(join(corePath, folder, 'exports.ts'))
  const options = { witPath: join(corePath, witPath), world, jsSource, sync: true, stubWasi: true }
  return (await componentize(options)).component
}

/** Replaces the folder as a whole, so that nobody sees half of a build. */
function writeDist(name: EngineName, inputs: string, files: Map<string, Uint8Array>, componentDigest: string): void {
  const path = join(distPath, name)
  const freshPath = `${path}.fresh`
  rmSync(freshPath, { recursive: true, force: true })
  mkdirSync(freshPath)
  for (const [file, bytes] of files) writeFileSync(join(freshPath, file), bytes)
  const digests = Object.fromEntries([...files].map(([file, bytes]) => [file, digestOf(bytes)]))
  const manifest = { engine: name, inputs, componentDigest, files: digests }
  writeFileSync(join(freshPath, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const oldPath = `${path}.old`
  rmSync(oldPath, { recursive: true, force: true })
  if (existsSync(path)) renameSync(path, oldPath)
  renameSync(freshPath, path)
  rmSync(oldPath, { recursive: true, force: true })
}

/** One cached file per step, named after its inputs. */
async function step(name: string, inputs: string, work: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const path = join(cachePath, `${name}-${digestOf(inputs)}.wasm`)
  if (existsSync(path)) {
    console.log(`build: ${name} unchanged`)
    return readFileSync(path)
  }
  const bytes = await timed(name, work)
  writeFileSync(`${path}.part`, bytes)
  renameSync(`${path}.part`, path)
  return bytes
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  const result = await work()
  console.log(`build: ${name} ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  return result
}

function digestOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/**
 * `npm run build`: the signer component and its host, into `signer-core/dist`. Incremental: a step whose inputs did
 * not change takes its result from the cache. The component is not reproducible bit for bit (QuickJS puts hash
 * seeds into its snapshot), so it is built once and known by its digest.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { componentize } from 'componentize-qjs'
import { bundleGuest, bundleHost } from './bundle.ts'
import { compose } from './compose.ts'
import { inputsDigest } from './inputs.ts'
import { transpile } from './transpile.ts'

const rootPath = join(import.meta.dirname, '../..')
const corePath = join(rootPath, 'signer-core')
const distPath = join(corePath, 'dist')
const cachePath = join(rootPath, 'node_modules/.cache/keystead')
const componentPath = join(cachePath, 'signer.component.wasm')

const guestFolders = ['signer-core/wit', 'signer-core/guest', 'signer-core/protocol', 'policies']
const engineInputs = inputsDigest(rootPath, [...guestFolders, 'signer-core/engine-reference'])
const gateInputs = inputsDigest(rootPath, [...guestFolders, 'signer-core/gate'])
const hostInputs = inputsDigest(rootPath, ['signer-core/host', 'signer-core/protocol'])
const allInputs = digestOf(engineInputs + gateInputs + hostInputs)

if (isBuilt()) {
  console.log('build: up to date')
} else {
  mkdirSync(cachePath, { recursive: true })
  await buildAll()
}

/** The component as one file lies in the cache, which `npm ci` empties, and tests read it: without it we build anew. */
function isBuilt(): boolean {
  const path = join(distPath, 'manifest.json')
  if (!existsSync(path) || !existsSync(componentPath)) return false
  return JSON.parse(readFileSync(path, 'utf8')).inputs === allInputs
}

async function buildAll(): Promise<void> {
  const [engine, gate] = await Promise.all([
    step('engine', engineInputs, () => guest('engine-reference', 'wit/deps/engine', 'engine-world')),
    step('gate', gateInputs, () => guest('gate', 'wit', 'gate-world')),
  ])
  const component = await step('component', engineInputs + gateInputs, () => compose(engine, gate))
  const files = await timed('transpile', () => transpile(component, join(cachePath, 'transpile.wasm')))
  const host = await timed('host', () => bundleHost(join(corePath, 'host/main.ts')))
  files.set('host.mjs', Buffer.from(host))
  files.set('package.json', Buffer.from('{"type":"module"}\n'))
  writeDist(files, component)
  console.log(`build: component ${component.length} bytes, sha256 ${digestOf(component)}`)
}

async function guest(folder: string, witPath: string, world: string): Promise<Uint8Array> {
  const jsSource = await bundleGuest(join(corePath, folder, 'exports.ts'))
  const options = { witPath: join(corePath, witPath), world, jsSource, sync: true, stubWasi: true }
  return (await componentize(options)).component
}

/** Replaces the folder as a whole, so that nobody sees half of a build. */
function writeDist(files: Map<string, Uint8Array>, component: Uint8Array): void {
  const freshPath = `${distPath}.fresh`
  rmSync(freshPath, { recursive: true, force: true })
  mkdirSync(freshPath)
  for (const [name, bytes] of files) writeFileSync(join(freshPath, name), bytes)
  const digests = Object.fromEntries([...files].map(([name, bytes]) => [name, digestOf(bytes)]))
  const manifest = { inputs: allInputs, componentDigest: digestOf(component), files: digests }
  writeFileSync(join(freshPath, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(componentPath, component)
  const oldPath = `${distPath}.old`
  rmSync(oldPath, { recursive: true, force: true })
  if (existsSync(distPath)) renameSync(distPath, oldPath)
  renameSync(freshPath, distPath)
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

/** The fast engine as a component: found in a cache, or compiled. */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { componentEmbed, componentNew } from '@bytecodealliance/jco'
import { compile, digestOf } from './compile.ts'
import { EngineBuildError } from './errors.ts'
import { cachePath, readSources, sources, type Tree } from './sources.ts'
import { linkFlags, SODIUM_VERSION_HEADER, unitsWith } from './units.ts'
import { wordListHeader } from './word-list.ts'

const rootPath = join(import.meta.dirname, '../../..')
const enginePath = join(rootPath, 'signer-core/engine-c')
const witPath = join(rootPath, 'signer-core/wit/deps/engine/engine.wit')
const digestPath = join(enginePath, 'digest.json')
const objectsPath = join(rootPath, 'node_modules/.cache/keystead/engine-c')

export interface FastEngineOptions {
  record: boolean
  rebuild: boolean
  onProgress: (done: number, total: number, path: string) => void
}

/** What the repository says about the result (engine-c/digest.json). */
interface Recorded {
  /** Digest of everything that the component is made from. */
  inputs: string
  /** Of the component. */
  sha256: string
}

/**
 * Makes sure that the fast engine lies in the cache, with the recorded bytes.
 * @throws {EngineBuildError}
 */
export async function fastEngine({ record, rebuild, onProgress }: FastEngineOptions) {
  const known = rebuild ? undefined : findFastEngine()
  if (known !== undefined) return { digest: digestOf(known), length: known.length, built: false }
  const inputs = inputsOfEngine()
  if (!record && recorded().inputs !== inputs) {
    throw new EngineBuildError('its sources or tools have changed; record what comes out with `--record`')
  }
  const component = await makeEngine([], onProgress)
  const sha256 = digestOf(component)
  if (record) writeFileSync(digestPath, `${JSON.stringify({ inputs, sha256 } satisfies Recorded, null, 2)}\n`)
  else if (sha256 !== recorded().sha256) {
    throw new EngineBuildError(`what was built has the digest ${sha256}, recorded is ${recorded().sha256}`)
  }
  keep(componentPath(sha256), component)
  return { digest: sha256, length: component.length, built: true }
}

/** undefined when it has not been built, or its sources have changed since the digest was recorded. */
export function findFastEngine(): Uint8Array | undefined {
  const { inputs, sha256 } = recorded()
  const path = componentPath(sha256)
  if (!existsSync(path) || inputs !== inputsOfEngine()) return undefined
  const component = readFileSync(path)
  return digestOf(component) === sha256 ? component : undefined
}

/** @param defines Further compiler flags for our own files: builds that only tests use. @throws {EngineBuildError} */
export async function makeEngine(
  defines: readonly string[],
  onProgress: FastEngineOptions['onProgress'],
): Promise<Uint8Array> {
  const own = ownFiles()
  const units = unitsWith(
    Object.keys(own).filter((name) => name.endsWith('.c')),
    defines,
  )
  const tree: Tree = { ...readSources(), engine: own }
  tree['sodium'] = { ...(tree['sodium'] as Tree), made: { sodium: { 'version.h': SODIUM_VERSION_HEADER } } }
  const core = await compile({ units, tree, toolsDigest: toolsDigest(), objectsPath, onProgress })
  const witSource = readFileSync(witPath, 'utf8')
  const embedded = await componentEmbed({ binary: core, witSource, world: 'engine-world', stringEncoding: 'utf8' })
  return componentNew(embedded, [])
}

function inputsOfEngine(): string {
  return digestOf(
    JSON.stringify([toolsDigest(), unitsWith([], []), linkFlags, ownFiles(), readFileSync(witPath, 'utf8')]),
  )
}

function ownFiles(): Record<string, string> {
  const names = globSync('*.{c,h}', { cwd: enginePath }).toSorted()
  const read = names.map((name) => [name, readFileSync(join(enginePath, name), 'utf8')] as const)
  return { ...Object.fromEntries(read), 'english-words.c': wordListHeader() }
}

function toolsDigest(): string {
  const versions = ['@yowasp/clang', '@bytecodealliance/jco'].map((name) => {
    const path = join(rootPath, 'node_modules', name, 'package.json')
    return `${name}@${(JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version}`
  })
  return digestOf(JSON.stringify([versions, sources, SODIUM_VERSION_HEADER]))
}

function recorded(): Recorded {
  return JSON.parse(readFileSync(digestPath, 'utf8')) as Recorded
}

function componentPath(digest: string): string {
  return join(cachePath, `engine-${digest}.wasm`)
}

function keep(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.${process.pid}`, bytes)
  renameSync(`${path}.${process.pid}`, path)
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entropy } from './imports/entropy.ts'
import { instantiate, type Gate, type Vault } from './signer.js'

export interface Component {
  gate: Gate
  vault: Vault
  /** Every linear memory of this instance, the engine's among them. */
  memories: Set<WebAssembly.Memory>
}

/** The reference engine leaves copies of keys in its freed heap, the fast one overwrites everything after each call. */
const CALLS_PER_INSTANCE = { reference: 64, fast: 10_000 }

/** How many calls an instance of the component in this directory may serve. */
export function callsPerInstance(directory: string): number {
  const { engine } = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as { engine: string }
  if (engine !== 'reference' && engine !== 'fast') throw new Error('manifest of an unknown engine')
  return CALLS_PER_INSTANCE[engine]
}

/**
 * Compiles the core modules beside the bundle once; each call of the answer makes a fresh instance of them.
 * The first instance is made at once, because only jco's code knows which modules there are, and no file can be
 * read after the permission has been dropped.
 */
export function loadComponent(directory: string): () => Component {
  const modules = new Map<string, WebAssembly.Module>()
  const getCoreModule = (name: string) => {
    const module = modules.get(name) ?? new WebAssembly.Module(readFileSync(join(directory, name)))
    modules.set(name, module)
    return module
  }
  const make = () => makeInstance(getCoreModule)
  let first: Component | undefined = make()
  return () => {
    const component = first ?? make()
    first = undefined
    return component
  }
}

function makeInstance(getCoreModule: (name: string) => WebAssembly.Module): Component {
  const memories = new Set<WebAssembly.Memory>()
  const exported = instantiate(getCoreModule, { 'keystead:engine/entropy': entropy }, (module, imports) => {
    const instance = new WebAssembly.Instance(module, imports)
    for (const each of Object.values(instance.exports)) if (each instanceof WebAssembly.Memory) memories.add(each)
    return instance
  })
  const gate = exported['gate'] ?? exported['keystead:signer/gate@0.1.0']
  const vault = exported['vault'] ?? exported['keystead:engine/vault@0.1.0']
  if (gate === undefined || vault === undefined || memories.size === 0) throw new Error('not the signer component')
  return { gate: gate as Gate, vault: vault as Vault, memories }
}

/** From here on the process can read no file and import no code. Without `--permission` there is nothing to drop. */
export function dropFileAccess(directory: string): void {
  if (process.permission === undefined) return
  process.permission.drop('fs.read')
  if (process.permission.has('fs.read', directory)) throw new Error('file access could not be dropped')
}

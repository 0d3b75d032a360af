/** Engines without a gate around them, each on entropy that the test gives. */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type * as engineModule from 'keystead:engine/engine@0.1.0'
import { transpile } from '../../signer-core/build/transpile.ts'

const cachePath = join(import.meta.dirname, '../../node_modules/.cache/keystead')

export type EngineInterface = typeof engineModule
export type EngineName = 'reference' | 'fast'

export interface Engine {
  engine: EngineInterface
  vault: { load(dataKey: Uint8Array): void; wipe(): void }
  memories: WebAssembly.Memory[]
}

/** Makes instances of one engine. */
export type OpenEngine = (fill: (length: number) => Uint8Array) => Engine

export function enginePath(name: EngineName): string {
  return join(cachePath, `engine-${name}.component.wasm`)
}

/** The built engine, or undefined when it is the fast one and has not been built. */
export async function builtEngine(name: EngineName): Promise<OpenEngine | undefined> {
  return existsSync(enginePath(name)) ? openerOf(readFileSync(enginePath(name))) : undefined
}

/** @param component An engine-world component. */
export async function openerOf(component: Uint8Array): Promise<OpenEngine> {
  const folder = await transpiled(component)
  const { instantiate } = await import(join(folder, 'signer.js'))
  const modules = new Map<string, WebAssembly.Module>()
  const moduleOf = (name: string) => {
    const module = modules.get(name) ?? new WebAssembly.Module(readFileSync(join(folder, name)))
    modules.set(name, module)
    return module
  }
  return (fill) => {
    const memories = new Set<WebAssembly.Memory>()
    const watch = (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
      const instance = new WebAssembly.Instance(module, imports)
      for (const each of Object.values(instance.exports)) if (each instanceof WebAssembly.Memory) memories.add(each)
      return instance
    }
    const exported = instantiate(moduleOf, { 'keystead:engine/entropy': { fill } }, watch)
    return { engine: exported.engine, vault: exported.vault, memories: [...memories] }
  }
}

/** JavaScript for a component, kept beside the build's own results: transpiling costs a second or two. */
async function transpiled(component: Uint8Array): Promise<string> {
  const folder = join(cachePath, `test-${createHash('sha256').update(component).digest('hex')}`)
  if (existsSync(folder)) return folder
  const fresh = `${folder}.${randomUUID()}`
  mkdirSync(fresh, { recursive: true })
  const files = await transpile(component, join(fresh, 'component.wasm'))
  for (const [name, bytes] of files) writeFileSync(join(fresh, name), bytes)
  writeFileSync(join(fresh, 'package.json'), '{"type":"module"}\n')
  try {
    renameSync(fresh, folder)
  } catch {
    // Another test process was faster.
    rmSync(fresh, { recursive: true, force: true })
  }
  return folder
}

/** The fault's name, or what was thrown instead of it; the value when nothing was. */
export function outcomeOf<T>(work: () => T): { value: T } | { fault: string } {
  try {
    return { value: work() }
  } catch (error) {
    const payload = (error as { payload?: unknown }).payload ?? error
    if (typeof payload === 'string') return { fault: payload }
    throw error
  }
}

/**
 * Entropy that depends only on the seed, the operation, the length and how many draws of that length the operation has
 * made before: two engines then draw the same, also when one of them draws blinding factors in between.
 */
export class SeededEntropy {
  private readonly seed: string
  private operation = 0
  private draws = new Map<number, number>()

  constructor(seed: string) {
    this.seed = seed
  }

  /** Before each operation. */
  next(operation: number): void {
    this.operation = operation
    this.draws.clear()
  }

  readonly fill = (length: number): Uint8Array => {
    const draw = this.draws.get(length) ?? 0
    this.draws.set(length, draw + 1)
    const bytes = new Uint8Array(length)
    for (let at = 0; at < length; at += 64) {
      const block = createHash('sha512').update(`${this.seed}/${this.operation}/${length}/${draw}/${at}`).digest()
      bytes.set(block.subarray(0, Math.min(64, length - at)), at)
    }
    return bytes
  }
}

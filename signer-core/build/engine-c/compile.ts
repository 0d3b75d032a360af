/** Compiles C to one core WebAssembly module with clang, itself WebAssembly from npm: the same bytes on every machine. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands, Exit, type OutputStream, type Tree as ClangTree } from '@yowasp/clang'
import { EngineBuildError } from './errors.ts'
import type { Tree } from './sources.ts'
import { linkFlags, type Unit } from './units.ts'

export interface CompileJob {
  units: readonly Unit[]
  /** Every part's files. */
  tree: Tree
  /** What all objects depend on: compiler and libraries. */
  toolsDigest: string
  /** Objects of earlier builds. */
  objectsPath: string
  /** Called before each unit. */
  onProgress: (done: number, total: number, path: string) => void
}

/** @returns the linked module. @throws {EngineBuildError} with the compiler's words. */
export async function compile({ units, tree, toolsDigest, objectsPath, onProgress }: CompileJob): Promise<Uint8Array> {
  mkdirSync(objectsPath, { recursive: true })
  const headersDigest = digestOf(JSON.stringify(headersIn(tree['engine'] as Tree)))
  const objects: ClangTree = {}
  // Reads the compiler itself; asked for a compilation, it would do so loudly.
  await commands.clang(undefined, {}, { fetchProgress: () => {} })
  for (const [i, unit] of units.entries()) {
    onProgress(i, units.length, `${unit.part}/${unit.path}`)
    const own = unit.part === 'engine' ? [headersDigest, textOf(tree, unit)] : []
    const key = digestOf(JSON.stringify([toolsDigest, unit, ...own]))
    objects[`${i}.o`] = await cached(join(objectsPath, `${key}.o`), () => compileUnit(unit, tree))
  }
  onProgress(units.length, units.length, 'linking')
  return clang([...linkFlags, ...Object.keys(objects), '-o', 'engine.wasm'], objects, 'engine.wasm')
}

function compileUnit({ part, path, flags }: Unit, tree: Tree): Promise<Uint8Array> {
  return clang([...flags, '-c', `${part}/${path}`, '-o', 'unit.o'], tree, 'unit.o')
}

async function clang(argv: string[], files: ClangTree, output: string): Promise<Uint8Array> {
  const said: Uint8Array[] = []
  const listen: OutputStream = (bytes) => {
    if (bytes !== null) said.push(Uint8Array.from(bytes))
  }
  try {
    const results = await commands.clang(argv, files, { stdout: listen, stderr: listen })
    return results?.[output] as Uint8Array
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    throw new EngineBuildError(`clang failed:\n${Buffer.concat(said).toString()}`)
  }
}

async function cached(path: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> {
  if (existsSync(path)) return readFileSync(path)
  const bytes = await make()
  writeFileSync(`${path}.${process.pid}`, bytes)
  renameSync(`${path}.${process.pid}`, path)
  return bytes
}

function headersIn(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([name]) => name.endsWith('.h')))
}

function textOf(tree: Tree, { part, path }: Unit): string {
  return (tree[part] as Tree)[path] as string
}

export function digestOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

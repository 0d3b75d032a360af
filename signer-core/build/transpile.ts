import { writeFileSync } from 'node:fs'
import { transpile as jcoTranspile } from '@bytecodealliance/jco-transpile'
import { transform } from 'esbuild'

/** JavaScript and core modules for one component: synchronous instantiation, no debug calls, no tasks between parts. */
export async function transpile(component: Uint8Array, scratchPath: string): Promise<Map<string, Uint8Array>> {
  writeFileSync(scratchPath, component)
  const { files } = await jcoTranspile(scratchPath, {
    name: 'signer',
    instantiation: 'sync',
    // Memory to memory in wasm: without it every byte between gate and engine goes through JavaScript.
    multiMemory: true,
    wasiShim: false,
    // A refusal arrives as ComponentError with its payload; whatever arrives otherwise is a bug and ends the host.
    noComponentErrorWrapping: false,
    emitTypescriptDeclarations: false,
  })
  const kept = Object.entries(files).filter(([name]) => /\.(?:js|wasm)$/.test(name))
  return new Map(
    await Promise.all(
      kept.map(async ([name, bytes]) => [name, name === 'signer.js' ? await leanGlue(bytes) : bytes] as const),
    ),
  )
}

async function leanGlue(bytes: Uint8Array): Promise<Uint8Array> {
  return Buffer.from(withoutTasks(await withoutDebug(bytes)))
}

/** jco looks at the environment on every step of the ABI in order to log; the host has no environment. */
async function withoutDebug(bytes: Uint8Array): Promise<string> {
  const { code } = await transform(Buffer.from(bytes).toString(), {
    loader: 'js',
    format: 'esm',
    pure: ['_debugLog'],
    minifySyntax: true,
    treeShaking: true,
    target: 'esnext',
  })
  // Calls whose arguments are themselves calls stay; they must at least not look at the environment.
  const quiet = code.replace(/globalThis\?\.process\?\.env\?\.JCO_DEBUG && console\.debug\(\.\.\.args\);/, '')
  if (/JCO_DEBUG|process/.test(quiet)) throw new Error('the transpiled component looks at its process')
  return quiet
}

/**
 * For every call of the gate to the engine jco keeps a task and a subtask, with promises, ids and two slots of storage that
 * the adapter between them saves and restores. All of it is for asynchronous components: ours are synchronous, call one
 * another in one direction and never ask for those slots. It was a tenth of what a signature costs. The task of the host's
 * own call stays, and with it that nothing enters any more after a trap.
 */
const taskKeeping: readonly [RegExp, replacement: string][] = [
  [/(?<== )_symmetricSyncGuestCallEnter\b/g, '() => {}'],
  [/(?<== )_symmetricSyncGuestCallExit\b/g, '() => {}'],
  [/(?<=get[01]: )contextGet\.bind\(null, \{ slot: [01] \}\)/g, '() => 0'],
  [/(?<=set[01]: )contextSet\.bind\(null, \{ slot: [01] \}\)/g, '() => {}'],
]

function withoutTasks(code: string): string {
  // An engine by itself calls nobody, and has none.
  if (!code.includes('_symmetricSyncGuestCall')) return code
  return taskKeeping.reduce((text, [keeping, replacement]) => {
    const lean = text.replace(keeping, replacement)
    if (lean === text) throw new Error(`the transpiled component keeps its tasks otherwise: ${keeping.source}`)
    return lean
  }, code)
}

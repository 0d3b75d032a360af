import { writeFileSync } from 'node:fs'
import { transpile as jcoTranspile } from '@bytecodealliance/jco-transpile'
import { transform } from 'esbuild'

/** JavaScript and core modules for one component, with synchronous instantiation and without jco's debug calls. */
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
      kept.map(async ([name, bytes]) => [name, name === 'signer.js' ? await withoutDebug(bytes) : bytes] as const),
    ),
  )
}

/** jco looks at the environment on every step of the ABI in order to log; the host has no environment. */
async function withoutDebug(bytes: Uint8Array): Promise<Uint8Array> {
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
  return Buffer.from(quiet)
}

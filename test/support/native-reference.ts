/**
 * The reference engine's own sources in V8 instead of QuickJS, five to ten times as fast: what the differential tests
 * compare with in bulk. Takes `crypto` and `Function` away from the whole process, as the component does, so it is only
 * for processes of their own.
 */
import { registerHooks } from 'node:module'
import type { OpenEngine } from './engines.ts'

const entropyUrl = new URL('native-entropy.ts', import.meta.url).href

/** One instance, because its state lies in modules. */
export async function nativeReference(): Promise<OpenEngine> {
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('keystead:engine/entropy')) return next(specifier, context)
      return { url: entropyUrl, shortCircuit: true }
    },
  })
  const { source } = await import('./native-entropy.ts')
  const { engine, vault } = await import('../../signer-core/engine-reference/exports.ts')
  return (fill) => {
    source.fill = fill
    return { engine, vault, memories: [] }
  }
}

/**
 * Derivation paths in the text form of BIP-32: `m/44'/60'/0'/0/0`. Exactly one spelling each (decimal levels without
 * leading zeros, hardened ones marked with '), so that two texts are two paths.
 */
import type { CurveName } from './curves.ts'

/** Deeper than every registered purpose (BIP-48 has 6 levels); each level costs the engine time. */
export const PATH_LEVELS_MAX = 10
/** BIP-32: bit 31 of a level. */
const HARDENED = 0x8000_0000

const PATH = /^m(?:\/(?:0|[1-9][0-9]{0,9})'?)*$/
/** `m` and the longest levels, each 10 digits, / and '. */
const PATH_LENGTH_MAX = 1 + 12 * PATH_LEVELS_MAX

/** One number per level, hardened ones with bit 31 set; undefined for a text that is no path. `m` is the master key. */
export function parsePath(text: string): number[] | undefined {
  if (text.length > PATH_LENGTH_MAX || !PATH.test(text)) return undefined
  const levels: number[] = []
  for (const level of text.split('/').slice(1)) {
    const index = Number.parseInt(level, 10)
    if (index >= HARDENED) return undefined
    levels.push(level.endsWith("'") ? index + HARDENED : index)
  }
  return levels.length > PATH_LEVELS_MAX ? undefined : levels
}

/** SLIP-10 defines no other child keys for ed25519; the other curves have both kinds. */
export function pathFitsCurve(levels: number[], curve: CurveName): boolean {
  return curve !== 'CURVE_ED25519' || levels.every((level) => level >= HARDENED)
}

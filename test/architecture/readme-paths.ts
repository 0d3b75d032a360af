/** Finds the paths that a README names and that are not there. */
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Made by building or running; .gitignore names them too. */
const MADE = /^(?:data|node_modules|bench\/out|signer-core\/dist)(?:\/|$)/
const FILE = /^\.?[\w*-][\w.*/-]*\/[\w.*-]+\.(?:ts|mts|js|mjs|json|md|wit|yaml|yml|sol|c|sh|toml|txt)$/
const FOLDER = /^\.?[\w*-][\w.*/-]*\/$/
const IN_A_FOLDER = /^(signer-core|gateway|plugins|policies|cli|scripts|bench|test|\.ci)\/[\w.*/-]+$/

/**
 * Reads what stands in backticks, fenced blocks apart, and looks like a path: a file with a slash and an extension, a
 * folder with a slash at its end, or anything under a folder of the repository. `*` must match something.
 * @param root The repository's folder.
 * @param readme Path of the README from there; a path in it may start at the root or beside the README.
 * @returns the paths that exist in neither place.
 */
export function missingPaths(root: string, readme: string, text: string): string[] {
  const withoutBlocks = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
  const quoted = [...withoutBlocks.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] as string)
  return quoted.filter((path) => looksLikePath(path) && !exists(root, readme, path))
}

function looksLikePath(text: string): boolean {
  return !MADE.test(text) && [FILE, FOLDER, IN_A_FOLDER].some((form) => form.test(text))
}

function exists(root: string, readme: string, path: string): boolean {
  const places = [join(root, path), join(root, dirname(readme), path)]
  return path.includes('*')
    ? places.some((place) => globSync(place).length > 0)
    : places.some((place) => existsSync(place))
}

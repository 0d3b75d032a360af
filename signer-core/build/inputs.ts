/** What a step depends on, as one digest: sources, tool versions and this build itself. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const tools = ['esbuild', 'componentize-qjs', '@bytecodealliance/jco', '@bytecodealliance/jco-transpile']
const libraries = ['@noble/ciphers', '@noble/curves', '@noble/hashes', '@scure/base', '@scure/bip39']

/** @param folders Relative to `rootPath`; every .ts and .wit file below counts. */
export function inputsDigest(rootPath: string, folders: string[]): string {
  const hash = createHash('sha256')
  for (const name of [...tools, ...libraries]) {
    const { version } = JSON.parse(readFileSync(`${rootPath}/node_modules/${name}/package.json`, 'utf8'))
    hash.update(`${name}@${version}\n`)
  }
  const patterns = ['signer-core/build', ...folders].map((folder) => `${rootPath}/${folder}/**/*.{ts,wit}`)
  for (const path of globSync(patterns).toSorted()) {
    hash.update(`${relative(rootPath, path)}\n`).update(createHash('sha256').update(readFileSync(path)).digest())
  }
  return hash.digest('hex')
}

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isJsonObject, parseStrictJson } from '../protocol/strict-json.ts'
import { StartError } from './log.ts'

const MANIFEST = 'manifest.json'

/**
 * Compares every file of the built signer with its manifest: none altered, missing or added, no links.
 *
 * @returns Digest of the component, lower-case hex.
 * @throws {StartError} `signer_not_built` or `signer_altered`.
 */
export function checkManifest(dist: string): string {
  const { componentDigest, files } = readManifest(dist)
  if (typeof componentDigest !== 'string' || !isJsonObject(files)) throw altered(MANIFEST)
  const names = new Set(Object.keys(files))
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const name = relative(dist, join(entry.parentPath, entry.name))
    if (name === MANIFEST || entry.isDirectory()) continue
    if (!entry.isFile() || !names.delete(name) || sha256Hex(join(dist, name)) !== files[name]) throw altered(name)
  }
  for (const missing of names) throw altered(missing)
  return componentDigest
}

function readManifest(dist: string): Record<string, unknown> {
  let json: string
  try {
    json = readFileSync(join(dist, MANIFEST), 'utf8')
  } catch {
    throw new StartError('signer_not_built', `${dist} holds no built signer: run \`npm run build\``)
  }
  try {
    const manifest = parseStrictJson(json)
    if (isJsonObject(manifest)) return manifest
  } catch {
    // Falls through to the same refusal.
  }
  throw altered(MANIFEST)
}

/** undefined when the file vanished since it was listed: a build is replacing the folder. */
function sha256Hex(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return undefined
  }
}

function altered(name: string): StartError {
  return new StartError('signer_altered', `built signer differs from its manifest in ${name}: run \`npm run build\``)
}

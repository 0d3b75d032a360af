/**
 * The C libraries of the fast engine: upstream archives as Debian ships them, pinned by digest. None of their text lies in
 * this repository; a cache outside of it keeps what was fetched, so that every checkout of one user shares it.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchArchives } from './apt.ts'
import { EngineBuildError } from './errors.ts'

export interface Source {
  /** Debian's name of the source package. */
  name: string
  archive: string
  sha256: string
  /** The archive's one folder. */
  folder: string
}

export const sources = {
  secp256k1: {
    name: 'libsecp256k1',
    archive: 'libsecp256k1_0.2.0.orig.tar.xz',
    sha256: '07c1d76fc485936138c6572e94374df22ba41df06617926572b8a690fe8bc34b',
    folder: 'libsecp256k1-0.2.0',
  },
  bearssl: {
    name: 'bearssl',
    archive: 'bearssl_0.6+dfsg.1.orig.tar.xz',
    sha256: '102a625bd8f6155260867a50c508df8d8c3f796985dd744df1a68e5cd1a79004',
    folder: 'bearssl-0.6',
  },
  sodium: {
    name: 'libsodium',
    archive: 'libsodium_1.0.18.orig.tar.gz',
    sha256: 'd59323c6b712a1519a5daf710b68f5e7fde57040845ffec53850911f10a5d4f4',
    folder: 'libsodium-1.0.18',
  },
} as const satisfies Record<string, Source>

/** Files by name, folders as trees: what the compiler sees instead of a disk. */
export interface Tree {
  [name: string]: Tree | string
}

export const cachePath = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'keystead')
const archivesPath = join(cachePath, 'sources')

/** Each library's C files and headers under the name it has in `sources`. @throws {EngineBuildError} */
export function readSources(): Tree {
  fetchMissing()
  const scratch = mkdtempSync(join(tmpdir(), 'keystead-sources-'))
  try {
    const trees = Object.entries(sources).map(([name, { archive, folder }]) => {
      unpack(join(archivesPath, archive), scratch)
      return [name, readTree(join(scratch, folder))] as const
    })
    return Object.fromEntries(trees)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function fetchMissing(): void {
  const missing = Object.values(sources).filter((source) => !isWhole(join(archivesPath, source.archive), source))
  if (missing.length === 0) return
  mkdirSync(archivesPath, { recursive: true })
  const scratch = mkdtempSync(join(tmpdir(), 'keystead-apt-'))
  try {
    fetchArchives(missing, scratch)
    for (const source of missing) keep(source, join(scratch, source.archive))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function keep(source: Source, fetchedPath: string): void {
  if (!isWhole(fetchedPath, source)) {
    throw new EngineBuildError(
      `${source.name}: this distribution does not offer ${source.archive} with the pinned digest`,
    )
  }
  // Another checkout may do the same at the same time; a rename within one folder lets nobody see half a file.
  const partial = join(archivesPath, `${source.archive}.${process.pid}`)
  writeFileSync(partial, readFileSync(fetchedPath))
  renameSync(partial, join(archivesPath, source.archive))
}

function isWhole(path: string, { sha256 }: Source): boolean {
  return existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex') === sha256
}

function unpack(archive: string, into: string): void {
  try {
    execFileSync('tar', ['-xf', archive, '-C', into], { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch {
    throw new EngineBuildError('tar could not unpack the sources (it needs the package xz-utils)')
  }
}

function readTree(path: string): Tree {
  const tree: Tree = {}
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) tree[entry.name] = readTree(child)
    else if (/\.[ch]$/.test(entry.name)) tree[entry.name] = readFileSync(child, 'utf8')
  }
  return tree
}

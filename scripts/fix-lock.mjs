/**
 * Completes package-lock.json with the native packages of other platforms.
 *
 * A registry mirror that lacks, say, the macOS build of a tool makes `npm install` leave it out of the lock without
 * a word, and `npm ci` then refuses that lock everywhere ("Missing: ... from lock file"). This adds an entry for each
 * optional dependency that is named by a locked package and locked nowhere: version, os, cpu and libc, the latter
 * read from the package's name; no integrity, as the package was never seen. npm keeps such entries.
 *
 * Usage, after each change of dependencies: node scripts/fix-lock.mjs [lock file ...]
 * Without arguments: package-lock.json. Runs on any Node from 20 on. `npm run lock` does both steps.
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** Parts of package names, in npm's words. */
const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win: 'win32',
  win32: 'win32',
}
const processors = {
  amd64: 'x64',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
}
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/

const files = process.argv.length > 2 ? process.argv.slice(2) : ['package-lock.json']
for (const file of files) {
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const added = addMissing(lock.packages)
  // npm's own order, so that its next run changes nothing.
  const entries = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  lock.packages = Object.fromEntries(entries)
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${file}: ${added} packages of other platforms added`)
}

/** Adds to `packages`, the lock's map from install path to package. Returns how many it added. */
function addMissing(packages) {
  let added = 0
  for (const [path, requirer] of Object.entries(packages)) {
    for (const [name, wanted] of Object.entries(requirer.optionalDependencies ?? {})) {
      const found = resolve(packages, path, name)
      // A range that is met by something was resolved by npm; an exact version can be compared here.
      if (found !== undefined && (!EXACT_VERSION.test(wanted) || packages[found].version === wanted)) continue
      if (!EXACT_VERSION.test(wanted)) throw new Error(`${path}: cannot choose a version of ${name} ${wanted}`)
      // Beside the others, unless another version has that place.
      const place = found === undefined ? `node_modules/${name}` : `${path}/node_modules/${name}`
      packages[place] = foreignPackage(name, wanted, requirer.dev === true)
      added += 1
    }
  }
  return added
}

/** The install path that Node would load `name` from, for the package at `path`: its own folder, then upwards. */
function resolve(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[candidate] !== undefined) return candidate
    if (folder === '') return undefined
  }
}

/** A lock entry that npm installs only where system, processor and libc fit. */
function foreignPackage(name, version, dev) {
  const parts = name.split(/[-/]/)
  const cpu = parts.map((part) => processors[part]).find(Boolean)
  const os = parts.map((part) => systems[part]).find(Boolean)
  const libc = parts.some((part) => part.startsWith('musl'))
    ? 'musl'
    : parts.some((part) => part.startsWith('gnu'))
      ? 'glibc'
      : undefined
  if (cpu === undefined && os === undefined) {
    throw new Error(`${name} is not locked, and its name tells no platform: npm would install it everywhere`)
  }
  return {
    version,
    ...(cpu !== undefined && { cpu: [cpu] }),
    ...(dev && { dev: true }),
    ...(libc !== undefined && { libc: [libc] }),
    optional: true,
    ...(os !== undefined && { os: [os] }),
  }
}

/**
 * Installs the client SDKs of test/clients when they are missing or not those of its lock file.
 *
 * They are a package of their own so that nobody who only runs Keystead downloads them. What is installed is known
 * by the lock's hash, left in node_modules; npm removes it with node_modules, so a broken install is done again. No
 * package's install script runs: two optional speed-ups of a WebSocket library have one, and nothing here needs them.
 * Runs on any Node from 20 on. Exits with npm's code when npm fails.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../test/clients/', import.meta.url)
const mark = new URL('node_modules/.keystead-lock', folder)
const wanted = createHash('sha256')
  .update(readFileSync(new URL('package-lock.json', folder)))
  .digest('hex')

if (installed() === wanted) {
  console.log('client SDKs: test/clients is up to date')
} else {
  console.log('client SDKs: installing test/clients with npm ci')
  // Windows finds npm.cmd only through a shell; the arguments are fixed, so it has nothing to misread.
  const { status, error } = spawnSync('npm', ['ci', '--no-progress', '--ignore-scripts'], {
    cwd: fileURLToPath(folder),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(mark, wanted)
}

function installed() {
  try {
    return readFileSync(mark, 'utf8')
  } catch {
    return undefined
  }
}

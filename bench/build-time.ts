/** `--build`: the build from nothing, in a copy of the sources, so that neither cache nor `dist` is touched. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { endLater, newFolder, refuseWhileCleaning } from './worker.ts'

const root = join(import.meta.dirname, '..')

export async function buildSeconds(): Promise<number> {
  const folder = newFolder()
  for (const name of ['signer-core', 'policies', 'package.json', 'tsconfig.json']) {
    const filter = (path: string) => path !== join(root, 'signer-core/dist')
    cpSync(join(root, name), join(folder.path, name), { recursive: true, filter })
  }
  // Every package but not the cache, which is what the build would find its steps in.
  mkdirSync(join(folder.path, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '.cache')) {
    symlinkSync(join(root, 'node_modules', name), join(folder.path, 'node_modules', name))
  }
  const startedAtMs = performance.now()
  await build(folder.path, 'ignore')
  const tookMs = performance.now() - startedAtMs
  folder.remove()
  return tookMs / 1000
}

/** What `npm start` does first, so that the code measured is the code that is here. */
export async function build(directory = root, stdout: 'inherit' | 'ignore' = 'inherit'): Promise<void> {
  refuseWhileCleaning()
  const script = join(directory, 'signer-core/build/build.ts')
  const child = spawn(process.execPath, [script], { cwd: directory, stdio: ['ignore', stdout, 'inherit'] })
  const stop = endLater(() => child.kill('SIGKILL'))
  const [code] = await once(child, 'exit')
  stop()
  if (code !== 0) throw new Error('the build failed')
}

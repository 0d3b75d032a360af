/** The command line as a user runs it. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ExecutionContext } from 'ava'

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

const script = join(import.meta.dirname, '../../cli/keystead.mjs')

export function keystead(parameters: string[], options: { input?: string; environment?: NodeJS.ProcessEnv } = {}) {
  const {
    status: code,
    stdout,
    stderr,
  } = spawnSync(process.execPath, [script, ...parameters], {
    encoding: 'utf8',
    input: options.input ?? '',
    env: { ...process.env, ...options.environment },
  })
  return { code, stdout, stderr } satisfies CommandResult
}

/** The same while this process goes on: what the command asks may be behind a proxy of the test's own. */
export async function keysteadBeside(parameters: string[]): Promise<CommandResult> {
  const child = spawn(process.execPath, [script, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

/** An empty folder that is gone after the test. */
export function newFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ks-cli-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The command line as a user runs it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** An empty folder that is gone after the test. */
export function newFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ks-cli-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}

#!/usr/bin/env node
/**
 * `npx keystead`: on a Node older than 24, which cannot run TypeScript as it lies here, the one that npm installed with
 * Keystead takes over. Runs on any Node from 20 on.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const main = fileURLToPath(new URL('main.ts', import.meta.url))
const packaged = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) {
  await import('./main.ts')
} else if (existsSync(packaged)) {
  const run = [main, ...process.argv.slice(2)]
  const { status, error } = spawnSync(packaged, run, { stdio: 'inherit' })
  if (error !== undefined) throw error
  // A command that a signal ended has no status.
  process.exitCode = status ?? 1
} else {
  console.error(`keystead: needs Node ${NODE_MAJOR_MIN} or newer; npm ci in the folder of Keystead installs one`)
  process.exitCode = 1
}

/** A local chain: anvil from npm as a child that ends with this process, however this process ends. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

export const DEV_CHAIN_ID = 84_532

/** Osaka is the newest that this anvil knows whole. One unlocked account, which deploys and mints. */
const ARGUMENTS = ['--chain-id', String(DEV_CHAIN_ID), '--hardfork', 'osaka', '--accounts', '1']

/**
 * The shell holds a pipe that only we write to: when it closes, by us or because we are gone, anvil is told to end, and
 * keeps its state where it was asked to.
 */
const SUPERVISE = `"$@" & anvil=$!
{ read -r _; kill $anvil; } <&3 2>/dev/null &
wait $anvil; ended=$?
kill $! 2>/dev/null
exit $ended`

export interface AnvilOptions {
  /** 0 takes any free one. */
  port?: number
  /** Read at the start when it is there, written at the end. A kill -9 loses what was not written. */
  statePath?: string
  /** Further flags, such as `--block-time 1` or `--no-mining`. */
  flags?: readonly string[]
}

export interface Anvil {
  rpcUrl: string
  ended: Promise<void>
  stop(): Promise<void>
}

/** @throws when there is no anvil for this machine, or it ended before it listened. */
export async function startAnvil({ port = 0, statePath, flags = [] }: AnvilOptions = {}): Promise<Anvil> {
  const state = statePath === undefined ? [] : ['--state', statePath]
  const command = [anvilPath(), '--port', String(port), ...ARGUMENTS, ...state, ...flags]
  const child = spawn('/bin/sh', ['-c', SUPERVISE, 'sh', ...command], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] })
  const [, output, , lifeline] = child.stdio as unknown as [null, Readable, null, Writable]
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const rpcUrl = await Promise.race([listening(output), ended])
  if (rpcUrl === undefined) throw new Error('anvil ended before it listened')
  return {
    rpcUrl,
    ended,
    async stop() {
      lifeline.end()
      await ended
    },
  }
}

/** Also reads what anvil prints later, so that it never waits for a reader. */
function listening(output: Readable): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      const [, address] = /^Listening on (\S+)$/.exec(line) ?? []
      if (address !== undefined) resolve(`http://${address}`)
    })
  })
}

/** The binary itself: npm's wrapper is a Node process more, and passes fewer signals on. */
function anvilPath(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/anvil')
}

/** What the host's walls stop, tried from inside; without them everything works, so the probe can fail (C9, C12). */
import test from 'ava'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { chooseSandbox, spawnSandboxed } from '../../signer-core/launcher/sandbox.ts'

const PROBES = join(import.meta.dirname, 'probes')
const ATTEMPTS = 24

test.serial('the sandbox of this machine blocks everything', async (t) => {
  const sandbox = await chooseSandbox(process.env['PATH'] ?? '', PROBES)
  const { results, hits, scratch } = await probe((tail) => spawnSandboxed(sandbox, PROBES, tail))
  t.is(Object.keys(results).length, ATTEMPTS)
  // Signals need the process namespace; without bubblewrap that hole is known and warned of.
  t.deepEqual(succeeded(results), sandbox.kind === 'none' ? ['signalParent'] : [])
  t.is(hits, 0)
  t.false(existsSync(join(scratch, 'written')))
})

test.serial('without bubblewrap the permission model still blocks all but signals', async (t) => {
  const { results, hits } = await probe((tail) => spawnSandboxed({ kind: 'none' }, PROBES, tail))
  t.deepEqual(succeeded(results), ['signalParent'])
  t.is(hits, 0)
})

test.serial('negative control: without any wall every attempt succeeds', async (t) => {
  const { results, hits } = await probe((tail) =>
    spawn(process.execPath, tail, {
      cwd: PROBES,
      env: { KEYSTEAD_PROBE: '1' },
      stdio: ['ignore', 'inherit', 'ignore', 'pipe', 'pipe'],
    }),
  )
  t.deepEqual(succeeded(results), Object.keys(results))
  t.is(Object.keys(results).length, ATTEMPTS)
  t.true(hits >= 3)
})

async function probe(start: (tail: string[]) => ChildProcess) {
  const scratch = mkdtempSync(join(tmpdir(), 'ks-probe-'))
  writeFileSync(join(scratch, 'outside.mjs'), '')
  let hits = 0
  const count = (server: Server) => server.on('connection', (socket) => (hits++, socket.end('HTTP/1.1 204 \r\n\r\n')))
  const overTcp = count(createServer()).listen(0, '127.0.0.1')
  const overUnix = count(createServer()).listen(join(scratch, 'socket'))
  await Promise.all([once(overTcp, 'listening'), once(overUnix, 'listening')])
  const child = start(['forbidden.mjs'])
  const { port } = overTcp.address() as { port: number }
  const instructions = { port, socketPath: join(scratch, 'socket'), scratch, parentPid: process.pid }
  ;(child.stdio[4] as Writable).end(JSON.stringify(instructions))
  const report = await text(child.stdio[3] as Readable)
  overTcp.close()
  overUnix.close()
  return { results: JSON.parse(report) as Record<string, true | string>, hits, scratch }
}

function succeeded(results: Record<string, true | string>): string[] {
  return Object.keys(results).filter((name) => results[name] === true)
}

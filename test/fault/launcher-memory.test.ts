/** The launcher forgets: after start its memory holds neither the data key nor the key-encryption key (C12, C13). */
import test from 'ava'
import { createDecipheriv } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { foundingCall } from '../support/founding.ts'
import { startLauncher } from '../support/launcher.ts'
import { until } from '../support/processes.ts'

const run = process.platform === 'linux' ? test : test.skip

run('no part of a key is left in the launcher', async (t) => {
  const launcher = await startLauncher({ environment: { KEYSTEAD_SIGNER_HOSTS: '1' } })
  t.teardown(launcher.stop)
  process.kill(launcher.hostPids()[0] as number, 'SIGKILL')
  const operator = await launcher.connect('operator')
  // A call that comes before the launcher has heard of it is lost with the host.
  await until('an answer with a data key that was unwrapped again', async () => {
    return (await operator.call(foundingCall(), 'operator')).value.ok === true
  })
  await sleep(500)
  const key = readFileSync(join(launcher.dataDir, 'signer/key-encryption.key'))
  const dataKey = unwrap(key, readFileSync(join(launcher.dataDir, 'signer/data-key.wrapped')))
  t.is(countPieces(launcher.pid, key), 0)
  t.is(countPieces(launcher.pid, dataKey), 0)
  // The same search finds the key where it has to be.
  t.true(countPieces(launcher.hostPids()[0] as number, dataKey) >= 4)
})

/** Independent of the launcher's own code: SP 800-38D with the format that key-file.ts documents. */
function unwrap(key: Uint8Array, wrapped: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(1, 13))
  decipher.setAAD(Buffer.from('keystead data key, format 1')).setAuthTag(wrapped.subarray(45))
  return Buffer.concat([decipher.update(wrapped.subarray(13, 45)), decipher.final()])
}

/** How often one of the four 8-byte pieces of `key` occurs in the writable memory of a process. */
function countPieces(pid: number, key: Buffer): number {
  const pieces = [0, 8, 16, 24].map((at) => key.subarray(at, at + 8))
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const chunk = Buffer.alloc(16_777_216)
  let found = 0
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
    if (from === undefined || to === undefined) continue
    const end = Number.parseInt(to, 16)
    for (let at = Number.parseInt(from, 16); at < end; at += chunk.length) {
      const length = readAvailable(memory, chunk, Math.min(chunk.length, end - at), at)
      for (const piece of pieces) {
        const part = chunk.subarray(0, length)
        for (let hit = part.indexOf(piece); hit >= 0; hit = part.indexOf(piece, hit + 1)) found++
      }
    }
  }
  closeSync(memory)
  return found
}

function readAvailable(fd: number, into: Buffer, length: number, at: number): number {
  try {
    return readSync(fd, into, 0, length, at)
  } catch {
    return 0
  }
}

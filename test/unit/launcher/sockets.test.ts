import test from 'ava'
import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ask } from '../../../signer-core/launcher/connections.ts'
import { listen } from '../../../signer-core/launcher/sockets.ts'
import { connectFrames } from '../../support/launcher.ts'

const newPath = (name = 's.sock') => join(mkdtempSync(join(tmpdir(), 'ks-')), name)
/** Gives each payload back as the answer. */
const echo: Ask = async (_kind, payload) => ({ kind: 'answer', payload })
const status = () => ({ engine: 'fast', componentDigest: '', readyHosts: hosts++ }) as const
let hosts = 1

test('the socket is private, serves its kind and is removed at the end', async (t) => {
  const path = newPath()
  const listener = await listen(path, 'activity', echo, status)
  t.is(statSync(path).mode & 0o777, 0o600)
  const client = await connectFrames(path)
  t.deepEqual(await client.call({ a: 1 }), { kind: 'answer', value: { a: 1 } })
  const stranger = await connectFrames(path)
  await t.throwsAsync(stranger.call({}, 'operator'))
  t.deepEqual(await client.call(2), { kind: 'answer', value: 2 })
  for (const readyHosts of [1, 2]) {
    const said = await client.call({}, 'status')
    t.deepEqual(said, { kind: 'answer', value: { engine: 'fast', componentDigest: '', readyHosts } })
  }
  listener.stopAccepting()
  await listener.close()
  t.false(existsSync(path))
})

test('a socket for the group is the group’s as well, and nobody else’s', async (t) => {
  const path = newPath()
  const listener = await listen(path, 'activity', echo, status, 0o660)
  t.is(statSync(path).mode & 0o777, 0o660)
  listener.stopAccepting()
  await listener.close()
})

test('a socket with a listener is left alone, a stale one is replaced, another file is not touched', async (t) => {
  const path = newPath()
  const listener = await listen(path, 'activity', echo, status)
  await t.throwsAsync(listen(path, 'activity', echo, status), { message: /another launcher/ })
  t.true(existsSync(path))
  listener.stopAccepting()
  await listener.close()

  const file = newPath()
  writeFileSync(file, 'not a socket')
  await t.throwsAsync(listen(file, 'activity', echo, status))
  t.true(existsSync(file))
})

test('a path of 107 bytes is used, one of 108 is refused', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'ks-'))
  const pathOf = (lengthBytes: number) => join(directory, 'x'.repeat(lengthBytes - directory.length - 1))
  const listener = await listen(pathOf(107), 'activity', echo, status)
  listener.stopAccepting()
  await t.throwsAsync(listen(pathOf(108), 'activity', echo, status), { message: /longer than 107 bytes/ })
})

test('answers for a client that left are dropped', async (t) => {
  const path = newPath()
  let answer = () => {}
  const later: Ask = async (_kind, payload) => {
    await new Promise<void>((resolve) => (answer = resolve))
    return { kind: 'answer', payload }
  }
  const listener = await listen(path, 'activity', later, status)
  const client = await connectFrames(path)
  client.call(1).catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 50))
  client.close()
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.notThrows(answer)
  listener.stopAccepting()
  await listener.close()
})

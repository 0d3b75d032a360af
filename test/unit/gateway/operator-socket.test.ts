/** The operator's socket where several gateways share a folder: any number start at once, none takes another's away. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'

const MODULE = JSON.stringify(join(import.meta.dirname, '../../../gateway/operator/operator-socket.ts'))
const AT_ONCE = 8

function newPath(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ks-operator-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'gateway.sock')
}

/** A process that listens, until it is told anything. @returns undefined when it ended instead. */
async function listener(t: ExecutionContext, path: string): Promise<ChildProcess | undefined> {
  const script = `import { listenForOperator } from ${MODULE}
    const server = await listenForOperator(${JSON.stringify(path)})
    process.once('message', () => server.close(() => process.exit(0)))
    process.send('listening')`
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: [...stdio] })
  t.teardown(() => child.kill('SIGKILL'))
  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  return first === 'listening' ? child : undefined
}

/** @returns the status of the answer, or what went wrong. */
function ask(socketPath: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const call = request({ socketPath, path: '/unknown', method: 'POST' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    call.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    call.end()
  })
}

test('many that start at once all start, and one of them answers', async (t) => {
  const path = newPath(t)
  const all = await Promise.all(Array.from({ length: AT_ONCE }, () => listener(t, path)))
  t.false(all.includes(undefined))
  t.is(await ask(path), 404)
  t.is(statSync(path).mode & 0o777, 0o600)
  t.deepEqual(readdirSync(join(path, '..')), ['gateway.sock'])
})

test('one that stops leaves the socket of the other; what the last has left is replaced', async (t) => {
  const path = newPath(t)
  const stop = async (child: ChildProcess | undefined) => {
    child?.send('stop')
    await once(child as ChildProcess, 'exit')
  }
  const [first, second] = [await listener(t, path), await listener(t, path)]
  await stop(first)
  t.is(await ask(path), 404)
  await stop(second)
  t.is(await ask(path), 'ECONNREFUSED')
  await listener(t, path)
  t.is(await ask(path), 404)
})

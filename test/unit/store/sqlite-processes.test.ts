/** One writing process at a time; and no acknowledged insert is lost when it is killed. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'
import { StoreUnavailableError } from '../../../gateway/store/store-errors.ts'
import { entries, entry, temporaryDatabase } from './sqlite-fixtures.ts'

const WRITER = fileURLToPath(new URL('sqlite-writer.ts', import.meta.url))
const collections = [entries]

function startWriter(file: string): ChildProcess {
  return spawn(process.execPath, [WRITER, file], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Collects the acknowledged serials; after `count` of them kills the writer as the kernel would. */
async function killAfter(writer: ChildProcess, count: number): Promise<number[]> {
  const acknowledged: number[] = []
  for await (const line of createInterface({ input: writer.stdout as NodeJS.ReadableStream })) {
    if (line === 'ready') continue
    acknowledged.push(Number(line))
    if (acknowledged.length === count) writer.kill('SIGKILL')
  }
  return acknowledged
}

for (const count of [1, 500, 5000]) {
  test(`SIGKILL after ${count} acknowledged inserts loses none of them`, async (t) => {
    const file = temporaryDatabase(t)
    const acknowledged = await killAfter(startWriter(file), count)
    t.true(acknowledged.length >= count)

    const database = new DatabaseSync(file)
    t.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    database.close()

    // A dead process holds no lock: opening needs no waiting and no cleaning up.
    const store = openSqliteStore({ file, collections, lockWaitMs: 0 })
    const collection = store.collection(entries)
    const found = await Promise.all(acknowledged.map((serial) => collection.get(`entry-${serial}`)))
    t.deepEqual(
      acknowledged.filter((_, i) => found[i]?.text.length !== 500),
      [],
    )
    await store.close()
  })
}

test('a second process is refused, and the first goes on', async (t) => {
  const file = temporaryDatabase(t)
  const store = openSqliteStore({ file, collections })
  const second = startWriter(file)
  let stderr = ''
  second.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const [code] = (await once(second, 'close')) as [number]
  t.not(code, 0)
  t.regex(stderr, /StoreUnavailableError: .*is open for writing elsewhere; one process at a time/)
  await t.notThrowsAsync(store.collection(entries).insert(entry(1)))
  await store.close()
})

test('a second opening in the same process is refused, and the first keeps its lock', async (t) => {
  const file = temporaryDatabase(t)
  const first = openSqliteStore({ file, collections })
  const elsewhere = { instanceOf: StoreUnavailableError, message: /open for writing elsewhere/ }
  t.throws(() => openSqliteStore({ file, collections, lockWaitMs: 0 }), elsewhere)
  const other = startWriter(file)
  const [code] = (await once(other, 'close')) as [number]
  t.not(code, 0)
  await first.close()
  await t.notThrowsAsync(async () => openSqliteStore({ file, collections, lockWaitMs: 0 }).close())
})

test('a file that is free within the wait is opened', async (t) => {
  const file = temporaryDatabase(t)
  const writer = startWriter(file)
  const lines = createInterface({ input: writer.stdout as NodeJS.ReadableStream })
  await once(lines, 'line')
  // Waiting for the lock blocks this process, so the kill has to come from another.
  spawn('sh', ['-c', `sleep 0.3; kill -9 ${writer.pid}`])
  const store = openSqliteStore({ file, collections, lockWaitMs: 20_000 })
  await t.notThrowsAsync(store.collection(entries).insert(entry(-1)))
  await store.close()
})

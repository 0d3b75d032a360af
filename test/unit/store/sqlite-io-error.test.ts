/** A disk that fails in earnest: after an I/O error the store refuses everything until it is opened anew. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'
import { entries, temporaryDatabase } from './sqlite-fixtures.ts'

const FAILING_WRITER = fileURLToPath(new URL('sqlite-failing-writer.ts', import.meta.url))

// A limit on the size of files makes write() fail with EFBIG, which SQLite reports as an I/O error.
const testOnLinux = process.platform === 'linux' ? test : test.skip

testOnLinux(
  'an I/O error refuses the transaction and all that follows; a new opening has what was answered',
  async (t) => {
    const file = temporaryDatabase(t)
    const script = `trap '' XFSZ; ulimit -f 512; exec "$0" "$@"`
    const child = spawnSync('bash', ['-c', script, process.execPath, FAILING_WRITER, file], { encoding: 'utf8' })
    t.is(child.status, 0, child.stderr)
    const report = JSON.parse(child.stdout) as { acknowledged: number[]; refused: number[]; after: string[] }
    t.true(report.acknowledged.length > 10)
    t.true(report.refused.length > 1)
    t.deepEqual(report.after, ['StoreUnavailableError', 'StoreUnavailableError', 'StoreUnavailableError'])

    const store = openSqliteStore({ file, collections: [entries] })
    const collection = store.collection(entries)
    for (const serial of report.acknowledged) t.truthy(await collection.get(`entry-${serial}`))
    for (const serial of report.refused) t.is(await collection.get(`entry-${serial}`), undefined)
    await store.close()
  },
)

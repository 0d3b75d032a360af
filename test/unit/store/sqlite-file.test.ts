/** Who may read the file, and that it keeps its documents from one opening to the next. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import test from 'ava'
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'
import { DuplicateKeyError, StoreMisuseError, StoreUnavailableError } from '../../../gateway/store/store-errors.ts'
import type { CollectionSpec } from '../../../gateway/store/store.ts'
import { entries, entry, temporaryDatabase } from './sqlite-fixtures.ts'
import type { Entry } from './sqlite-fixtures.ts'

const collections = [entries]
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('folder, database and log are for their owner only', async (t) => {
  const file = temporaryDatabase(t)
  const store = openSqliteStore({ file, collections })
  await store.collection(entries).insert(entry(1))
  t.is(mode(dirname(file)), '700')
  t.deepEqual(readdirSync(dirname(file)), ['store.db', 'store.db-wal'])
  t.is(mode(file), '600')
  t.is(mode(`${file}-wal`), '600')
  await store.close()
})

test('an open file mode is closed', async (t) => {
  const file = temporaryDatabase(t)
  await openSqliteStore({ file, collections }).close()
  chmodSync(file, 0o644)
  await openSqliteStore({ file, collections }).close()
  t.is(mode(file), '600')
})

test('reopening keeps documents and unique keys', async (t) => {
  const file = temporaryDatabase(t)
  const first = openSqliteStore({ file, collections })
  await first.collection(entries).insert(entry(1))
  await first.close()
  t.false(existsSync(`${file}-wal`), 'closing folds the log into the database')
  const second = openSqliteStore({ file, collections })
  t.deepEqual(await second.collection(entries).get('entry-1'), entry(1))
  await t.throwsAsync(second.collection(entries).insert({ ...entry(1), _id: 'other' }), {
    instanceOf: DuplicateKeyError,
  })
  await second.close()
})

test('indexes follow the declaration, unless documents break a new unique key', async (t) => {
  const file = temporaryDatabase(t)
  const first = openSqliteStore({ file, collections })
  await first.collection(entries).insert(entry(1, 'same'))
  await first.collection(entries).insert(entry(2, 'same'))
  await first.close()

  const strict: CollectionSpec<Entry> = { name: 'entries', unique: [['text']], indexes: [] }
  t.throws(() => openSqliteStore({ file, collections: [strict] }), { instanceOf: StoreUnavailableError })

  const loose: CollectionSpec<Entry> = { name: 'entries', unique: [], indexes: [['text', 'serial']] }
  const second = openSqliteStore({ file, collections: [loose] })
  await t.notThrowsAsync(second.collection(loose).insert({ ...entry(1, 'same'), _id: 'other' }))
  const found = await second.collection(loose).find({ where: { text: 'same' }, sort: 'serial', limit: 10 })
  t.deepEqual(
    found.items.map(({ _id }) => _id),
    ['entry-1', 'other', 'entry-2'],
  )
  await second.close()
})

test('what is no database is refused and left as it is', (t) => {
  const file = temporaryDatabase(t)
  mkdirSync(dirname(file))
  writeFileSync(file, 'not a database, though long enough to have a header to look at'.repeat(100))
  t.throws(() => openSqliteStore({ file, collections }), {
    instanceOf: StoreUnavailableError,
    message: /as a database/,
  })
  t.is(statSync(file).size, 6200)
})

for (const spec of [
  { name: 'Entries', unique: [], indexes: [] },
  { name: 'a"b', unique: [], indexes: [] },
  { name: 'a', unique: [['a-b']], indexes: [] },
  { name: 'a', unique: [[`b') --`]], indexes: [] },
  { name: 'a', unique: [['_id']], indexes: [] },
  { name: 'a', unique: [['v']], indexes: [] },
  { name: 'a', unique: [[]], indexes: [] },
  { name: 'a', unique: [['b', 'b']], indexes: [] },
  { name: 'a', unique: [['b'], ['b']], indexes: [] },
  { name: 'a', unique: [], indexes: [['_id', 'b']] },
]) {
  test(`the spec ${JSON.stringify(spec)} is refused`, (t) => {
    const file = temporaryDatabase(t)
    t.throws(() => openSqliteStore({ file, collections: [spec] }), { instanceOf: StoreMisuseError })
    t.false(existsSync(file))
  })
}

test('two collections whose names differ by case only are refused', (t) => {
  const specs = ['jobList', 'joblist'].map((name) => ({ name, unique: [], indexes: [] }))
  const open = () => openSqliteStore({ file: temporaryDatabase(t), collections: specs })
  t.throws(open, { instanceOf: StoreMisuseError })
})

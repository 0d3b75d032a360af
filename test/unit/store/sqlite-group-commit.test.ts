/** Group commit: sharing, ordering, and what happens when a commit fails. */
import test from 'ava'
import { openSqliteStore } from '../../../gateway/store/sqlite/open-sqlite-store.ts'
import { DuplicateKeyError, StoreUnavailableError } from '../../../gateway/store/store-errors.ts'
import { entries, entry, temporaryDatabase } from './sqlite-fixtures.ts'

const collections = [entries]
const serials = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i)

test('writes of one turn share one transaction, writes of two turns do not', async (t) => {
  const store = openSqliteStore({ file: temporaryDatabase(t), collections })
  const collection = store.collection(entries)
  await Promise.all(serials(100).map((serial) => collection.insert(entry(serial))))
  t.deepEqual({ ...store.counts }, { commits: 1, writes: 100 })
  for (const serial of serials(3, 100)) await collection.insert(entry(serial))
  t.deepEqual({ ...store.counts }, { commits: 4, writes: 103 })
  await store.close()
})

test('512 writes are one transaction, 513 are two', async (t) => {
  const store = openSqliteStore({ file: temporaryDatabase(t), collections })
  const collection = store.collection(entries)
  await Promise.all(serials(512).map((serial) => collection.insert(entry(serial))))
  t.is(store.counts.commits, 1)
  await Promise.all(serials(513, 1000).map((serial) => collection.insert(entry(serial))))
  t.deepEqual({ ...store.counts }, { commits: 3, writes: 1025 })
  await store.close()
})

test('a refused write in a shared transaction disturbs none of the others', async (t) => {
  const store = openSqliteStore({ file: temporaryDatabase(t), collections })
  const collection = store.collection(entries)
  await collection.insert(entry(1))
  const results = await Promise.allSettled([
    collection.insert(entry(2)),
    collection.insert({ ...entry(1), _id: 'other' }),
    collection.compareAndSet({ ...entry(1), v: 9 }, entry(1)),
    collection.insert(entry(3)),
  ])
  t.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).name)),
    [undefined, 'DuplicateKeyError', false, undefined],
  )
  t.is(store.counts.commits, 2)
  t.truthy(await collection.get('entry-2'))
  t.truthy(await collection.get('entry-3'))
  t.is(await collection.get('other'), undefined)
  await store.close()
})

test('a full database refuses every write of the transaction, keeps none, and works again with room', async (t) => {
  const file = temporaryDatabase(t)
  const store = openSqliteStore({ file, collections, pagesMax: 60 })
  const collection = store.collection(entries)
  await collection.insert(entry(1))
  const committed = store.counts.commits

  const small = serials(20, 100)
  const big = serials(20, 200)
  const writes = [
    ...small.map((serial) => collection.insert(entry(serial))),
    // A duplicate must not be told so: the decision was never committed.
    collection.insert(entry(1)),
    ...big.map((serial) => collection.insert({ ...entry(serial), content: 'x'.repeat(20_000) } as never)),
  ]
  const results = await Promise.allSettled(writes)
  t.true(results.every((result) => result.status === 'rejected' && result.reason instanceof StoreUnavailableError))
  t.is(store.counts.commits, committed)
  const kept = await Promise.all([...small, ...big].map((serial) => collection.get(`entry-${serial}`)))
  t.true(kept.every((document) => document === undefined))

  await t.notThrowsAsync(store.ready())
  await t.notThrowsAsync(Promise.all(small.map((serial) => collection.insert(entry(serial)))))
  await t.throwsAsync(collection.insert(entry(1)), { instanceOf: DuplicateKeyError })
  await store.close()

  const reopened = openSqliteStore({ file, collections })
  t.truthy(await reopened.collection(entries).get('entry-119'))
  t.is(await reopened.collection(entries).get('entry-200'), undefined)
  await reopened.close()
})

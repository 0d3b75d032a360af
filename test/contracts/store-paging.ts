/** Rules of find: filters, order, pages. */
import type { Collection } from '../../gateway/store/store.ts'
import { job } from './store-fixtures.ts'
import type { Job, Rule } from './store-fixtures.ts'

/** Reads page after page, as a client would. */
async function walk(jobs: Collection<Job>, query: Parameters<Collection<Job>['find']>[0]): Promise<Job[]> {
  const all: Job[] = []
  let { items, next } = await jobs.find(query)
  for (;;) {
    all.push(...items)
    if (next === undefined) return all
    ;({ items, next } = await jobs.find({ ...query, after: next }))
    if (items.length === 0) throw new Error('an empty page after a cursor')
  }
}

function byDueAndId(a: Job, b: Job): number {
  return a.dueAtMs - b.dueAtMs || (a._id < b._id ? -1 : 1)
}

async function insertAll(jobs: Collection<Job>, documents: Job[]): Promise<Job[]> {
  await Promise.all(documents.map((document) => jobs.insert(document)))
  return documents
}

export function pagingRules(rule: Rule): void {
  for (const limit of [1, 2, 7, 60, 1000]) {
    rule(`pages of ${limit} lose and repeat nothing, with equal sort values, both ways`, async (t, jobs) => {
      const documents = await insertAll(
        jobs,
        Array.from({ length: 60 }, (_, i) => job({ _id: `id-${(i * 37) % 60}`, dueAtMs: (i % 4) * 1.5 - 1 })),
      )
      await insertAll(jobs, [job({ state: 'done' }), job({ state: 'done' })])
      const expected = documents.toSorted(byDueAndId)
      const query = { where: { state: 'due' }, sort: 'dueAtMs', limit } as const
      t.deepEqual(await walk(jobs, query), expected)
      t.deepEqual(await walk(jobs, { ...query, descending: true }), expected.toReversed())
    })
  }

  rule('a page that ends exactly at the end has no next', async (t, jobs) => {
    await insertAll(jobs, [job(), job()])
    const query = { where: { state: 'due' }, sort: 'dueAtMs' } as const
    t.is((await jobs.find({ ...query, limit: 2 })).next, undefined)
    t.not((await jobs.find({ ...query, limit: 1 })).next, undefined)
    t.deepEqual(await jobs.find({ ...query, where: { state: 'none' }, limit: 1 }), { items: [] })
  })

  rule('documents inserted between pages do not disturb those already there', async (t, jobs) => {
    const documents = await insertAll(
      jobs,
      [10, 20, 30, 40].map((dueAtMs) => job({ dueAtMs })),
    )
    const query = { where: { state: 'due' }, sort: 'dueAtMs', limit: 2 } as const
    const first = await jobs.find(query)
    await insertAll(jobs, [job({ dueAtMs: 5 }), job({ dueAtMs: 50 })])
    const second = await jobs.find({ ...query, after: first.next as string })
    t.deepEqual([...first.items, ...second.items], documents)
  })

  rule('where compares every field named, by value and type', async (t, jobs) => {
    const [a, b, c] = (await insertAll(jobs, [
      job({ organizationId: 'a' }),
      job({ organizationId: 'b', owner: '7' }),
      job({ organizationId: 'a', state: 'done' }),
    ])) as [Job, Job, Job]
    const find = async (where: object, sort: 'dueAtMs' | '_id' | 'idempotencyKey' | 'slot') =>
      (await jobs.find({ where, sort, limit: 10 })).items
    t.deepEqual(await find({ organizationId: 'a', state: 'due' }, 'dueAtMs'), [a])
    t.deepEqual(await find({ state: 'due', organizationId: 'b' }, 'dueAtMs'), [b])
    t.deepEqual(await find({ state: 'due' }, 'dueAtMs'), [a, b])
    t.deepEqual(await find({ owner: '7' }, '_id'), [b])
    t.deepEqual(await find({ owner: 7 }, '_id'), [], 'a number is not the string of its digits')
    t.deepEqual(await find({ organizationId: 'a' }, 'idempotencyKey'), [a, c])
    t.deepEqual(await find({ organizationId: 'a', idempotencyKey: c.idempotencyKey }, 'idempotencyKey'), [c])
    t.deepEqual(await find({}, 'slot'), [a, b, c])
    t.deepEqual(await walk(jobs, { where: {}, sort: '_id', limit: 1, descending: true }), [c, b, a])
  })

  rule('strings sort by code point', async (t, jobs) => {
    // In UTF-16 order the last two would change places.
    const owners = ['', 'A', 'Z', 'a', 'é', '\uffee', '\u{1f511}']
    await insertAll(
      jobs,
      owners.toReversed().map((idempotencyKey) => job({ idempotencyKey })),
    )
    const query = { where: { organizationId: 'org-1' }, sort: 'idempotencyKey', limit: 2 } as const
    t.deepEqual(
      (await walk(jobs, query)).map(({ idempotencyKey }) => idempotencyKey),
      owners,
    )
  })

  rule('find sees what was inserted and what was replaced', async (t, jobs) => {
    const document = job()
    await jobs.insert(document)
    await jobs.compareAndSet(document, { ...document, state: 'done' })
    const count = async (state: string) =>
      (await jobs.find({ where: { state }, sort: 'dueAtMs', limit: 10 })).items.length
    t.deepEqual([await count('due'), await count('done')], [0, 1])
  })
}

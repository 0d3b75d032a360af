/** Rules of insert, get and compareAndSet. */
import { DuplicateKeyError, StoreUnavailableError } from '../../gateway/store/store-errors.ts'
import { job, orders } from './store-fixtures.ts'
import type { Job, Rule } from './store-fixtures.ts'

const NASTY = `'; drop table jobs; -- " \\ $where {"$gt": ""} %00`

/** What a database could spoil: other scripts, escapes, numbers at their limits, nesting, size. */
const contents: Record<string, unknown> = {
  unicode: 'Zażółć 鍵 🔑 e\u0301 \u2028 \u0000 \u001f',
  numbers: [0, -1, 0.1, 1e21, 1e-7, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE],
  empty: [{}, [], '', null, false],
  nested: { a: { b: [{ c: { d: ['e', { 'f.g': 1, $h: 2, __proto_: 3 }] } }] } },
  large: 'x'.repeat(1_000_000),
  sql: NASTY,
}

export function writingRules(rule: Rule): void {
  rule('an inserted document comes back as it was', async (t, jobs) => {
    const document = job({ owner: 'ann', content: contents })
    await jobs.insert(document)
    t.deepEqual(await jobs.get(document._id), document)
    t.is(await jobs.get('no-such-id'), undefined)
  })

  rule('what is stored is the document as it was when insert was called', async (t, jobs) => {
    const document = job()
    const inserting = jobs.insert(document)
    document.state = 'changed too late'
    await inserting
    t.is((await jobs.get(document._id))?.state, 'due')
  })

  rule('an undefined member is an absent one', async (t, jobs) => {
    const document = { ...job(), content: undefined }
    await jobs.insert(document)
    t.false('content' in ((await jobs.get(document._id)) as Job))
  })

  rule('a duplicate names the key that is taken', async (t, jobs) => {
    const first = job()
    await jobs.insert(first)
    const duplicates: [string, Job][] = [
      ['_id', job({ _id: first._id })],
      ['organizationId,idempotencyKey', job({ idempotencyKey: first.idempotencyKey })],
      ['slot', job({ slot: first.slot })],
    ]
    for (const [key, document] of duplicates) {
      const error = await t.throwsAsync(jobs.insert(document), { instanceOf: DuplicateKeyError })
      t.is(error?.key, key)
      t.is(error?.collection, 'jobs')
    }
    await jobs.insert(job({ organizationId: 'org-2', idempotencyKey: first.idempotencyKey }))
    t.deepEqual(await jobs.get(first._id), first)
  })

  rule('of 50 racing inserts of one unique key one wins, and others are not disturbed', async (t, jobs) => {
    const racing = Array.from({ length: 50 }, () => job({ idempotencyKey: 'same' }))
    const bystanders = Array.from({ length: 50 }, () => job())
    const inserts = racing.flatMap((document, i) => [jobs.insert(document), jobs.insert(bystanders[i] as Job)])
    const results = await Promise.allSettled(inserts)
    t.is(results.filter(({ status }) => status === 'fulfilled').length, 51)
    const stored = await Promise.all(racing.map(({ _id }) => jobs.get(_id)))
    t.is(stored.filter((document) => document !== undefined).length, 1)
    t.true((await Promise.all(bystanders.map(({ _id }) => jobs.get(_id)))).every(Boolean))
  })

  rule('compareAndSet replaces the whole document and counts the version', async (t, jobs) => {
    const document = job({ owner: 'ann' })
    await jobs.insert(document)
    const { owner: _, ...rest } = document
    t.true(await jobs.compareAndSet(document, { ...rest, state: 'done', v: 77 }))
    t.deepEqual(await jobs.get(document._id), { ...rest, state: 'done', v: 2 })
  })

  rule('compareAndSet changes nothing for another version or an unknown document', async (t, jobs) => {
    const document = job()
    await jobs.insert(document)
    t.false(await jobs.compareAndSet({ ...document, v: 0 }, { ...document, state: 'lost' }))
    t.false(await jobs.compareAndSet({ ...document, v: 2 }, { ...document, state: 'lost' }))
    const absent = job()
    t.false(await jobs.compareAndSet(absent, absent))
    t.deepEqual(await jobs.get(document._id), document)
    t.is(await jobs.get(absent._id), undefined)
  })

  rule('of 50 racing compareAndSet one wins', async (t, jobs) => {
    const document = job()
    await jobs.insert(document)
    const wins = await Promise.all(
      Array.from({ length: 50 }, (_, i) => jobs.compareAndSet(document, { ...document, state: `won by ${i}` })),
    )
    t.is(wins.filter(Boolean).length, 1)
    t.deepEqual(await jobs.get(document._id), { ...document, v: 2, state: `won by ${wins.indexOf(true)}` })
  })

  rule('50 increments that repeat on a lost race all count', async (t, jobs) => {
    const document = job({ content: 0 })
    await jobs.insert(document)
    const increment = async (): Promise<void> => {
      const read = (await jobs.get(document._id)) as Job
      if (!(await jobs.compareAndSet(read, { ...read, content: (read.content as number) + 1 }))) await increment()
    }
    await Promise.all(Array.from({ length: 50 }, increment))
    t.like(await jobs.get(document._id), { content: 50, v: 51 })
  })

  rule('compareAndSet cannot take the unique key of another document', async (t, jobs) => {
    const [first, second] = [job(), job()]
    await Promise.all([jobs.insert(first), jobs.insert(second)])
    const error = await t.throwsAsync(jobs.compareAndSet(second, { ...second, slot: first.slot }), {
      instanceOf: DuplicateKeyError,
    })
    t.is(error?.key, 'slot')
    t.deepEqual(await jobs.get(second._id), second)
  })

  rule('a replaced document gives its unique key back', async (t, jobs) => {
    const document = job()
    await jobs.insert(document)
    await jobs.compareAndSet(document, { ...document, idempotencyKey: 'another' })
    await t.notThrowsAsync(jobs.insert(job({ idempotencyKey: document.idempotencyKey })))
  })

  rule('values that look like SQL or operators are data', async (t, jobs, store) => {
    const document = job({ _id: NASTY, idempotencyKey: NASTY, state: NASTY, owner: NASTY })
    await jobs.insert(document)
    await jobs.insert(job())
    t.deepEqual(await jobs.get(NASTY), document)
    const found = await jobs.find({ where: { state: NASTY }, sort: 'dueAtMs', limit: 10 })
    t.deepEqual(found.items, [document])
    const error = await t.throwsAsync(jobs.insert(document), { instanceOf: DuplicateKeyError })
    t.false(error?.message.includes('drop table'), 'messages hold no values')
    await store.collection(orders).insert({ _id: NASTY, v: 1 })
    t.deepEqual(await store.collection(orders).get(NASTY), { _id: NASTY, v: 1 })
  })

  rule('a closed store finishes what was asked and refuses the rest', async (t, jobs, store) => {
    await t.notThrowsAsync(store.ready())
    const inserting = Array.from({ length: 20 }, () => jobs.insert(job()))
    const closing = store.close()
    const late = jobs.insert(job())
    await t.throwsAsync(late, { instanceOf: StoreUnavailableError })
    await closing
    await t.notThrowsAsync(Promise.all(inserting))
    await t.throwsAsync(jobs.get('job'), { instanceOf: StoreUnavailableError })
    await t.throwsAsync(store.ready(), { instanceOf: StoreUnavailableError })
    await t.notThrowsAsync(store.close())
  })
}

/** Rules of what the port refuses, so that what works on one database works on the next. */
import { DOCUMENT_DEPTH_MAX, DOCUMENT_LENGTH_MAX } from '../../gateway/store/check-document.ts'
import { BadCursorError, StoreMisuseError } from '../../gateway/store/store-errors.ts'
import { FIND_LIMIT_MAX } from '../../gateway/store/store.ts'
import { job } from './store-fixtures.ts'
import type { Job, Rule } from './store-fixtures.ts'

function nest(levels: number): unknown {
  return levels === 0 ? 1 : [nest(levels - 1)]
}

const LONE_SURROGATE = 'a\ud800'
/** Length of the document around `content: ''`, for documents of one serial length. */
const around = (document: Job): number => JSON.stringify({ ...document, content: '' }).length

export function refusalRules(rule: Rule): void {
  const misuse = { instanceOf: StoreMisuseError }

  const badMembers: Record<string, Record<string, unknown>> = {
    'a null unique field': { idempotencyKey: null },
    'an absent unique field': { slot: undefined },
    'an absent sort field': { dueAtMs: undefined },
    'an array in an indexed field': { owner: ['ann'] },
    'an object in a unique field': { idempotencyKey: { $gt: '' } },
    'a NUL in an indexed field': { owner: 'a\0b' },
    'a very long indexed string': { owner: 'x'.repeat(1025) },
    'an empty id': { _id: '' },
    'an id that is a number': { _id: 7 },
    'an id of 257': { _id: 'x'.repeat(257) },
    'a fractional version': { v: 1.5 },
    'a member with a dollar': { $set: 1 },
    'a member with a dot': { 'a.b': 1 },
    'a lone surrogate': { content: [LONE_SURROGATE] },
    'a lone surrogate in a name': { content: { [LONE_SURROGATE]: 1 } },
    'a bigint': { content: 1n },
    'a date': { content: new Date(0) },
    bytes: { content: new Uint8Array(1) },
    'not a number': { content: Number.NaN },
    'undefined in an array': { content: [undefined] },
    'too many levels': { content: nest(DOCUMENT_DEPTH_MAX) },
  }
  for (const [name, members] of Object.entries(badMembers)) {
    rule(`${name} is refused by insert and compareAndSet`, async (t, jobs) => {
      await t.throwsAsync(jobs.insert({ ...job(), ...members }), misuse)
      const stored = job()
      await jobs.insert(stored)
      // The version that is stored is never that of `next`, so a bad one there is no mistake.
      if ('v' in members) return
      await t.throwsAsync(jobs.compareAndSet(stored, { ...stored, ...members }), misuse)
      t.deepEqual(await jobs.get(stored._id), stored)
    })
  }

  rule('the limits themselves are allowed, one more is not', async (t, jobs) => {
    const deepest = job({ content: nest(DOCUMENT_DEPTH_MAX - 1) })
    const longest = job({ _id: 'x'.repeat(256), owner: 'x'.repeat(1024) })
    longest.content = 'y'.repeat(DOCUMENT_LENGTH_MAX - around(longest))
    for (const document of [deepest, longest]) {
      await jobs.insert(document)
      t.deepEqual(await jobs.get(document._id), document)
    }
    await t.throwsAsync(jobs.insert({ ...longest, content: `${longest.content as string}y` }), misuse)
  })

  rule('a bad limit is refused', async (t, jobs) => {
    const query = { where: { state: 'due' }, sort: 'dueAtMs' } as const
    for (const limit of [0, -1, 1.5, Number.NaN, Infinity, FIND_LIMIT_MAX + 1, '5' as unknown as number]) {
      await t.throwsAsync(jobs.find({ ...query, limit }), misuse)
    }
    for (const limit of [1, FIND_LIMIT_MAX]) await t.notThrowsAsync(jobs.find({ ...query, limit }))
  })

  rule('a query without a declared index is refused', async (t, jobs) => {
    const undeclared: [object, string][] = [
      [{ state: 'due' }, 'slot'],
      [{ state: 'due' }, '_id'],
      [{ organizationId: 'a' }, 'dueAtMs'],
      [{ organizationId: 'a', state: 'due', owner: 'x' }, 'dueAtMs'],
      [{}, 'dueAtMs'],
      [{ _id: 'a' }, '_id'],
      [{ "state') or 1=1 --": 'due' }, 'dueAtMs'],
      [{ state: 'due' }, 'dueAtMs desc'],
    ]
    for (const [where, sort] of undeclared) {
      await t.throwsAsync(jobs.find({ where, sort: sort as 'slot', limit: 1 }), misuse)
    }
  })

  rule('comparing with anything but strings and numbers is refused', async (t, jobs) => {
    for (const state of [undefined, null, true, { $gt: '' }, ['due']]) {
      const where = { state } as unknown as { state: string }
      await t.throwsAsync(jobs.find({ where, sort: 'dueAtMs', limit: 1 }), misuse)
    }
    await t.throwsAsync(jobs.get({ $gt: '' } as unknown as string), misuse)
  })

  rule('a value that no document can have finds nothing', async (t, jobs) => {
    await jobs.insert(job({ _id: 'a\ufffd', state: 'a\ufffd' }))
    t.is(await jobs.get(LONE_SURROGATE), undefined)
    const found = await jobs.find({ where: { state: LONE_SURROGATE }, sort: 'dueAtMs', limit: 1 })
    t.deepEqual(found, { items: [] })
  })

  rule('a cursor of another sort or direction, or of nobody, is refused', async (t, jobs) => {
    await Promise.all([jobs.insert(job()), jobs.insert(job())])
    const query = { where: { state: 'due' }, sort: 'dueAtMs', limit: 1 } as const
    const next = (await jobs.find(query)).next as string
    const forge = (fields: unknown): string => Buffer.from(JSON.stringify(fields)).toString('base64url')
    const bad = { instanceOf: BadCursorError }
    await t.throwsAsync(jobs.find({ ...query, descending: true, after: next }), bad)
    await t.throwsAsync(jobs.find({ where: {}, sort: 'slot', limit: 1, after: next }), bad)
    for (const after of [
      '',
      'x',
      forge(null),
      forge(['dueAtMs', false, { $gt: 0 }, 'a']),
      forge(['dueAtMs', false, 1]),
    ]) {
      await t.throwsAsync(jobs.find({ ...query, after }), bad)
    }
    await t.notThrowsAsync(jobs.find({ ...query, after: forge(['dueAtMs', false, 1, 'a']) }))
  })

  rule('compareAndSet keeps the id', async (t, jobs) => {
    const document = job()
    await jobs.insert(document)
    await t.throwsAsync(jobs.compareAndSet(document, { ...document, _id: 'another' }), misuse)
  })

  rule('a collection that the store was not opened with is refused', async (t, _jobs, store) => {
    t.throws(() => store.collection({ name: 'unknown', unique: [], indexes: [] }), misuse)
  })
}

/** Storing receipts in a real store: in order, each once, and nothing behind a gap. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Receipts } from '../../../gateway/receipts/receipts.ts'
import { SignerUnavailableError } from '../../../gateway/signer-client/signer-client.ts'
import { openStore } from '../../../gateway/store/open-store.ts'
import { StoreUnavailableError } from '../../../gateway/store/store-errors.ts'
import type { Collection, Store, StoredDocument } from '../../../gateway/store/store.ts'
import type { PerformAnswer, Receipt } from '../../../signer-core/protocol/messages.ts'

const organizationId = randomUUID()
const activityId = randomUUID()
const later: PerformAnswer = { ok: 'later' }

/** One chain as a host would make it. */
function chain(chainId = randomUUID()) {
  const receipt = (sequence: number, more = ''): Receipt => ({
    text: JSON.stringify({ activityId, chain: { chainId }, sequence, more }),
    signature: 'aa',
  })
  return {
    chainId,
    receipt,
    answer: (sequence: number): PerformAnswer => {
      const refusal = { code: 'KEY_NOT_FOUND', message: '', field: '', receipt: receipt(sequence) } as const
      return { ok: false, refusal }
    },
    backlog: (storedUpTo: number, ...sequences: number[]) => ({
      publicKey: '04aa',
      receiptKey: '04bb',
      chainId,
      storedUpTo,
      receipts: sequences.map((each) => receipt(each)),
    }),
  }
}

async function opened(t: ExecutionContext, wrap: (store: Store) => Store = (store) => store) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ks-receipts-'))
  const store = await openStore({ dataDir })
  t.teardown(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  })
  const receipts = new Receipts(wrap(store))
  const session = () => receipts.stored(organizationId).session
  return {
    raw: store,
    receipts,
    session,
    store: (backlog: ReturnType<ReturnType<typeof chain>['backlog']>, answer: PerformAnswer, of = session()) =>
      receipts.store(organizationId, of, backlog, answer),
    sequences: async (): Promise<number[]> => {
      const found = await receipts.list(organizationId, 100, undefined)
      return found.map(({ text }) => (JSON.parse(text) as { sequence: number }).sequence)
    },
    marks: () => receipts.stored(organizationId).marks,
  }
}

test('the backlog first, then the own receipt; what is stored is told to the host', async (t) => {
  const { store, sequences, marks } = await opened(t)
  const { chainId, backlog, answer } = chain()
  t.deepEqual(marks(), [])
  await store(backlog(0, 1, 2), answer(3))
  t.deepEqual(await sequences(), [1, 2, 3])
  t.deepEqual(marks(), [{ chainId, sequence: 3 }])
  await store(backlog(3), answer(4))
  t.deepEqual(marks(), [{ chainId, sequence: 4 }])
})

test('answers of one chain are stored in the order in which they come, those of two chains side by side', async (t) => {
  const { store, sequences, marks } = await opened(t)
  const [one, two] = [chain(), chain()]
  await Promise.all([
    store(one.backlog(0), one.answer(1)),
    store(one.backlog(0), one.answer(2)),
    store(two.backlog(0), two.answer(1)),
    store(one.backlog(0), one.answer(3)),
  ])
  t.deepEqual(
    (await sequences()).toSorted((a, b) => a - b),
    [1, 1, 2, 3],
  )
  t.is(marks().length, 2)
})

test('behind a missing receipt nothing is stored, and the next call asks for everything', async (t) => {
  const { store, session, sequences } = await opened(t)
  const { backlog, answer } = chain()
  await store(backlog(0), answer(1))
  const before = session()
  await t.throwsAsync(store(backlog(0), answer(3)), { instanceOf: SignerUnavailableError })
  t.deepEqual(await sequences(), [1])
  const after = session()
  t.not(after, before)
  // Answers that were under way to the old session fail too, without making the host send it all once more.
  await t.throwsAsync(store(backlog(0), answer(4), before), { instanceOf: SignerUnavailableError })
  t.is(session(), after)
  await store(backlog(0, 1, 2, 3, 4), answer(5))
  t.deepEqual(await sequences(), [1, 2, 3, 4, 5])
})

test('what another gateway has stored is not missing', async (t) => {
  const { store, sequences } = await opened(t)
  const { backlog, answer } = chain()
  await store(backlog(7), answer(8))
  await store(backlog(20), answer(21))
  t.deepEqual(await sequences(), [8, 21])
})

test('a receipt that is there already is left alone; another in its place is a bug', async (t) => {
  const { store, raw, session, sequences } = await opened(t)
  const { backlog, answer, receipt } = chain()
  await store(backlog(0, 1), answer(2))
  const another = () => new Receipts(raw)
  await another().store(organizationId, session(), backlog(0, 1), answer(2))
  const forged = { ...backlog(0), receipts: [receipt(1, 'forged')] }
  const storing = another().store(organizationId, session(), forged, answer(2))
  await t.throwsAsync(storing, { message: 'two receipts for one place of a chain' })
  t.deepEqual(await sequences(), [1, 2])
})

test('when the store fails, what waits behind fails as well, and nothing is told as stored', async (t) => {
  let failing = true
  const { store, sequences, marks, session } = await opened(t, (real) => ({
    ...real,
    collection: (spec) => failingInserts(real.collection(spec), () => failing),
  }))
  const { backlog, answer } = chain()
  const before = session()
  const all = await Promise.allSettled([store(backlog(0), answer(1), before), store(backlog(0), answer(2), before)])
  const reasons = all.map((each) => (each.status === 'rejected' ? each.reason : undefined) as Error)
  t.true(reasons[0] instanceof StoreUnavailableError)
  t.true(reasons[1] instanceof SignerUnavailableError)
  t.deepEqual(marks(), [])
  t.not(session(), before)
  failing = false
  await store(backlog(0, 1, 2), answer(3))
  t.deepEqual(await sequences(), [1, 2, 3])
})

function failingInserts<T extends StoredDocument>(real: Collection<T>, isFailing: () => boolean): Collection<T> {
  return {
    get: (id) => real.get(id),
    find: (query) => real.find(query),
    compareAndSet: (document, next) => real.compareAndSet(document, next),
    insert: (document) => (isFailing() ? Promise.reject(new StoreUnavailableError('down')) : real.insert(document)),
  }
}

test('a host that waits for marks gets them, or is asked to send what was lost', async (t) => {
  const { store, session } = await opened(t)
  const { backlog, answer } = chain()
  await store(backlog(0), answer(1))
  const before = session()
  await store(backlog(0), later)
  t.is(session(), before, 'the next call carries the mark')
  await store(backlog(1), later)
  t.not(session(), before, 'nothing is left to tell')
})

test('activities of another organization show no receipts', async (t) => {
  const { store, receipts } = await opened(t)
  const { backlog, answer } = chain()
  await store(backlog(0, 1), answer(2))
  t.is((await receipts.ofActivity(organizationId, activityId)).length, 2)
  t.is((await receipts.ofActivity(randomUUID(), activityId)).length, 0)
})

test('with each receipt the key that signed it is stored, and the first of its chain is found', async (t) => {
  const { store, receipts } = await opened(t)
  const { backlog, answer } = chain()
  await store(backlog(0, 1), answer(2))
  const [first, second] = await receipts.list(organizationId, 100, undefined)
  if (first === undefined || second === undefined) throw new Error('not stored')
  t.deepEqual([first.publicKey, second.publicKey], ['04aa', '04bb'])
  t.is((await receipts.firstOfChain(second))?._id, first._id)
  t.is((await receipts.firstOfChain(first))?._id, first._id)
})

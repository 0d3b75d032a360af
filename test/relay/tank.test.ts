/** The gas tank against a naive one: random operations, repeats, crashes around every write, reorganizations. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { findAll } from '../../gateway/plugin-api.ts'
import { openSqliteStore } from '../../gateway/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../gateway/store/store.ts'
import { deposit } from '../../plugins/gas-relay/operations/deposit.ts'
import type { OperationParts } from '../../plugins/gas-relay/operations/operation.ts'
import { settingsSchema } from '../../plugins/gas-relay/settings.ts'
import { journalSpec, sumOf } from '../../plugins/gas-relay/tank/journal-entry.ts'
import { balanceOf, tankId, tanksSpec } from '../../plugins/gas-relay/tank/tank.ts'
import { Tanks } from '../../plugins/gas-relay/tank/tanks.ts'
import { Crashed, crashing } from '../support/relay/crashing-store.ts'
import { NaiveTank, type Step } from '../support/relay/naive-tank.ts'
import { fuzzCount, SeededRandom, seedOfRun } from '../support/seeded-random.ts'

const ORGANIZATION = '11111111-2222-4333-8444-555555555555'
const ID = tankId(ORGANIZATION, 'eip155:84532')
/** More than fits into 64 bits: ten ETH and above. */
const UNIT = 10n ** 18n

function openStore(t: ExecutionContext): Store {
  const folder = mkdtempSync(join(tmpdir(), 'ks-tank-'))
  const store = openSqliteStore({ file: join(folder, 'store.sqlite'), collections: [tanksSpec, journalSpec] })
  t.teardown(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return store
}

function tanksOn(store: Store, dies = () => false): Tanks {
  const [tanks, journal] = [crashing(store, tanksSpec, dies), crashing(store, journalSpec, dies)]
  return new Tanks({ tanks, journal, nowMs: () => 1 })
}

async function reserve(tanks: Tanks, row: string, amount: bigint): Promise<boolean> {
  return (await tanks.reserve(ID, row, { epoch: 0, amount, countMax: 1_000 })) === 'reserved'
}

async function run(tanks: Tanks, step: Step): Promise<boolean> {
  const { kind, subject } = step
  if (kind === 'deposit') return (await tanks.deposit(ID, subject, step.amount)) !== undefined
  if (kind === 'reserve') return reserve(tanks, subject, step.amount)
  if (kind === 'settle') await tanks.settle(ID, subject, step.epoch, step.amount)
  else await tanks[kind](ID, subject, step.epoch)
  return true
}

/** The journal and the counters say the same, and no reservation is lost or made up. */
async function audit(t: ExecutionContext, store: Store): Promise<void> {
  const tanks = tanksOn(store)
  await tanks.flush(ID)
  const tank = await tanks.read(ID)
  const entries = await findAll(store.collection(journalSpec), { where: { tankId: ID }, sort: 'sequence' })
  t.deepEqual(
    entries.map(({ sequence }) => sequence),
    entries.map((_, i) => i + 1),
  )
  t.is(entries.length, tank.entries)
  t.is(String(-sumOf(entries, 'operator')), tank.deposited)
  t.is(String(sumOf(entries, 'spent') + sumOf(entries, 'absorbed')), tank.debited)
  t.is(String(sumOf(entries, 'reserved')), tank.reserved)
  t.is(sumOf(entries, 'available'), balanceOf(tank))
  t.is(String(Object.values(tank.reservations).reduce((sum, held) => sum + BigInt(held), 0n)), tank.reserved)
}

/** What may come next in the life of transactions, with costs above and below what was set aside. */
function nextStep(random: SeededRandom, live: Map<string, { state: 'held' | 'paid'; epoch: number }>, i: number): Step {
  const amount = (BigInt(random.below(10_000)) * UNIT) / 1_000n + BigInt(random.below(1_000)) + 1n
  const subject = live.size === 0 ? undefined : random.pick([...live.keys()])
  const dice = random.below(10)
  if (dice === 0) return { kind: 'deposit', subject: `reference ${i}`, amount: amount * 3n }
  if (subject === undefined || dice < 5) return { kind: 'reserve', subject: `row-${i}`, epoch: 0, amount }
  const { state, epoch } = live.get(subject) as { state: 'held' | 'paid'; epoch: number }
  if (state === 'paid') return { kind: 'reverse', subject, epoch }
  return dice === 5 ? { kind: 'release', subject, epoch } : { kind: 'settle', subject, epoch, amount }
}

test('random operations with crashes and reorganizations agree with a naive tank', async (t) => {
  const seed = seedOfRun()
  const random = new SeededRandom(seed)
  t.log(`seed ${seed}`)
  const store = openStore(t)
  const naive = new NaiveTank()
  const live = new Map<string, { state: 'held' | 'paid'; epoch: number }>()
  const recent: Step[] = []
  const dies = () => random.below(20) === 0
  let crashes = 0
  let refused = 0
  let tanks = tanksOn(store, dies)
  for (let i = 0; i < fuzzCount(1_500); i++) {
    const isRepeat = recent.length > 0 && random.below(8) === 0
    const step = isRepeat ? random.pick(recent) : nextStep(random, live, i)
    let ok: boolean | undefined
    while (ok === undefined) {
      try {
        ok = await run(tanks, step)
      } catch (error) {
        if (!(error instanceof Crashed)) throw error
        crashes++
        tanks = tanksOn(store, dies)
      }
    }
    const expected = naive.do(step)
    if (!ok) refused++
    const tank = await tanks.read(ID)
    const numbers = [ok, tank.deposited, tank.debited, tank.reserved, balanceOf(tank)]
    const wanted = [expected, String(naive.deposited), String(naive.debited), String(naive.reserved), naive.balance]
    if (numbers.join() !== wanted.join() || balanceOf(tank) < 0n) return t.deepEqual(numbers, wanted, `step ${i}`)
    if (isRepeat) continue
    if (step.kind === 'reserve' && ok) live.set(step.subject, { state: 'held', epoch: 0 })
    if (step.kind === 'settle') live.set(step.subject, { state: 'paid', epoch: step.epoch })
    if (step.kind === 'reverse') live.set(step.subject, { state: 'held', epoch: step.epoch + 1 })
    if (step.kind === 'release') live.delete(step.subject)
    // Settled for good: no block is reorganized away for ever.
    if (live.size > 40) live.delete([...live].find(([, { state }]) => state === 'paid')?.[0] ?? '')
    if (ok) recent.push(step)
    if (recent.length > 30) recent.shift()
  }
  await audit(t, store)
  t.true(crashes > 0 && refused > 0)
})

test('many at once in several processes: never below zero, and nothing is taken twice', async (t) => {
  const store = openStore(t)
  const processes = Array.from({ length: 3 }, () => tanksOn(store))
  await Promise.all(processes.map((tanks) => tanks.deposit(ID, 'first', 100n)))
  const rows = Array.from({ length: 60 }, (_, i) => `row-${i}`)
  const reserved = await Promise.all(
    rows.map(async (row) => Promise.all(processes.map((tanks) => reserve(tanks, row, 7n)))),
  )
  const winners = rows.filter((_, i) => reserved[i]?.every(Boolean))
  t.is(winners.length, 14)
  t.is(reserved.filter((each) => each.some(Boolean)).length, 14)
  await Promise.all(winners.flatMap((row) => processes.map((tanks) => tanks.settle(ID, row, 0, 5n))))
  const tank = await (processes[0] as Tanks).read(ID)
  t.deepEqual([tank.deposited, tank.debited, tank.reserved], ['100', '70', '0'])
  await audit(t, store)
})

test('so many at once, and no more', async (t) => {
  const tanks = tanksOn(openStore(t))
  await tanks.deposit(ID, 'all', 100n)
  const room = { epoch: 0, amount: 1n, countMax: 2 }
  t.is(await tanks.reserve(ID, 'one', room), 'reserved')
  t.is(await tanks.reserve(ID, 'two', room), 'reserved')
  t.is(await tanks.reserve(ID, 'three', room), 'too_many')
  t.is(await tanks.reserve(ID, 'two', room), 'reserved')
  await tanks.release(ID, 'one', 0)
  t.is(await tanks.reserve(ID, 'three', { ...room, amount: 100n }), 'too_little')
  t.is(await tanks.reserve(ID, 'three', room), 'reserved')
})

test('a reference stands for one amount', async (t) => {
  const store = openStore(t)
  const tanks = tanksOn(store)
  const first = await tanks.deposit(ID, 'invoice 1', 5n)
  t.deepEqual(await tanks.deposit(ID, 'invoice 1', 5n).then((entry) => entry?.sequence), first?.sequence)
  t.is(await tanks.deposit(ID, 'invoice 1', 6n), undefined)
  t.is((await tanks.read(ID)).deposited, '5')
})

test('the note of a deposit is in the journal, as it was first', async (t) => {
  const store = openStore(t)
  const host = { checkTimestamp: () => undefined, nowMs: () => 1 }
  const parts = { settings: settingsSchema.parse({}), tanks: tanksOn(store), host } as unknown as OperationParts
  const ask = (note: object) => {
    const json = { organizationId: ORGANIZATION, timestampMs: '1', amount: '5', reference: 'invoice 1', ...note }
    return deposit(parts, { json, digest: '', organizationId: ORGANIZATION, readsOnly: false })
  }
  for (const note of [{ note: 'paid by wire' }, { note: 'paid again?' }, {}]) await ask(note)
  const { items } = await store.collection(journalSpec).find({ where: { tankId: ID }, sort: 'sequence', limit: 10 })
  t.deepEqual(
    items.map(({ note }) => note),
    ['paid by wire'],
  )
})

test('a name that the journal cannot take changes nothing; every other name is only a name', async (t) => {
  const store = openStore(t)
  const tanks = tanksOn(store)
  for (const [i, bad] of ['a\0b', '\ud800', 'x'.repeat(256)].entries()) {
    const good = tanks.deposit(ID, `asked for together ${i}`, 1n)
    await t.throwsAsync(tanks.deposit(ID, bad, 5n))
    t.is((await good)?.sequence, i + 1)
  }
  t.true(await reserve(tanks, 'row', 1n))
  for (const reference of ['row', '__proto__', 'toString']) t.truthy(await tanks.deposit(ID, reference, 1n), reference)
  t.like(await tanks.read(ID), { deposited: '6', reserved: '1', reservations: { row: '1' } })
  await audit(t, store)
})

test('what costs more than was set aside takes what is free, and the rest is the operator’s', async (t) => {
  const store = openStore(t)
  const tanks = tanksOn(store)
  await tanks.deposit(ID, 'all', 100n)
  t.true(await reserve(tanks, 'row', 60n))
  t.false(await reserve(tanks, 'other', 41n))
  await tanks.settle(ID, 'row', 0, 130n)
  t.like(await tanks.read(ID), { deposited: '100', debited: '100', reserved: '0' })
  await tanks.reverse(ID, 'row', 0)
  t.like(await tanks.read(ID), { deposited: '100', debited: '0', reserved: '100', reservations: { row: '100' } })
  await tanks.settle(ID, 'row', 1, 90n)
  t.like(await tanks.read(ID), { debited: '90', reserved: '0', reservations: {} })
  await t.throwsAsync(tanks.reverse(ID, 'other', 0))
  await audit(t, store)
})

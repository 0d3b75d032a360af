/** Usage against the tank's own numbers: windows, groups and pages of random histories add up to what was debited. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { Address } from 'viem'
import type { FindQuery } from '../../gateway/plugin-api.ts'
import { openSqliteStore } from '../../gateway/store/sqlite/open-sqlite-store.ts'
import { RelayError } from '../../plugins/gas-relay/reasons.ts'
import { dayOf, journalId, journalSpec, type JournalDocument } from '../../plugins/gas-relay/tank/journal-entry.ts'
import { tanksSpec } from '../../plugins/gas-relay/tank/tank.ts'
import { Tanks } from '../../plugins/gas-relay/tank/tanks.ts'
import { transactionsSpec, type TransactionDocument } from '../../plugins/gas-relay/transactions/transaction.ts'
import { Transactions } from '../../plugins/gas-relay/transactions/transactions.ts'
import { billingUsage, type UsageQuery } from '../../plugins/gas-relay/usage/billing.ts'
import { fuzzCount, SeededRandom, seedOfRun } from '../support/seeded-random.ts'

const TANK = 'organization/eip155:84532'
const DAY_MS = 86_400_000
const FIRST_MS = 1_700_000_000_000
const ALL: UsageQuery = { groupBy: 'none', fromMs: 0, toMs: Infinity, limit: 1_000 }

interface Totals {
  transactions: number
  gas_used: string
  native_amount: string
  l1_fee: string
}
type Row = Totals & { activity_id: string; native_amount: string; debited_at_ms: string; day: string; from: Address }
interface Usage {
  totals: Totals
  usage: Row[]
  next_cursor: string | null
}
interface Debited {
  atMs: number
  amount: bigint
  from: Address
}

function rig(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'ks-usage-'))
  const specs = [transactionsSpec, tanksSpec, journalSpec]
  const store = openSqliteStore({ file: join(folder, 'store.sqlite'), collections: specs })
  t.teardown(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const clock = { nowMs: FIRST_MS }
  const nowMs = () => clock.nowMs
  const journal = store.collection(journalSpec)
  const tanks = new Tanks({ tanks: store.collection(tanksSpec), journal, nowMs })
  const transactions = new Transactions(store.collection(transactionsSpec), nowMs)
  let finds = 0
  const counted = {
    ...journal,
    find: (query: FindQuery<JournalDocument>) => {
      finds++
      return journal.find(query)
    },
  }
  const parts = { tanks, journal: counted, transactions }

  async function settle(id: string, from: Address, cost: bigint, epoch = 0): Promise<void> {
    if (epoch === 0) {
      const closing = { phase: 'confirmed', cost: String(cost), gas: { hash: '0x12', gasUsed: '7', l1Fee: '2' } }
      const row = { _id: id, v: 0, organizationId: 'organization', requestKey: id, phase: 'confirmed', from, closing }
      const times = { createdAtMs: 1, updatedAtMs: 1 }
      await transactions.insert({ ...row, network: 'eip155:84532', ...times } as unknown as TransactionDocument)
      await tanks.reserve(TANK, id, { epoch, amount: cost, countMax: 500 })
    }
    await tanks.settle(TANK, id, epoch, cost)
  }
  const ask = async (query: Partial<UsageQuery> = {}) =>
    (await billingUsage(parts, TANK, { ...ALL, ...query })) as Usage
  return { clock, journal, tanks, settle, ask, finds: () => finds }
}

const sum = (amounts: readonly (string | bigint)[]) => amounts.reduce((all: bigint, each) => all + BigInt(each), 0n)

test('a window is half-open, a day is a day of UTC, what was taken back is not in it', async (t) => {
  const { clock, tanks, settle, ask } = rig(t)
  t.deepEqual(await ask(), { totals: totals(0, 0n), usage: [], next_cursor: null })
  await tanks.deposit(TANK, 'all', 10n ** 9n)
  const midnightMs = Math.ceil(FIRST_MS / DAY_MS) * DAY_MS
  for (const [i, atMs] of [midnightMs - 1, midnightMs, midnightMs + 1].entries()) {
    clock.nowMs = atMs
    await settle(`row-${i}`, '0xA', 10n ** BigInt(i))
  }
  const amountIn = async (fromMs: number, toMs: number) => (await ask({ fromMs, toMs })).totals.native_amount
  t.is(await amountIn(midnightMs, midnightMs + 1), '10')
  t.is(await amountIn(midnightMs, midnightMs), '0')
  t.is(await amountIn(midnightMs - 1, midnightMs + 1), '11')
  t.is(await amountIn(midnightMs + 2, Infinity), '0')
  const { usage } = await ask({ groupBy: 'day' })
  t.deepEqual(
    usage.map(({ day, native_amount }) => [day, native_amount]),
    [
      ['2023-11-15', '110'],
      ['2023-11-14', '1'],
    ],
  )
  await tanks.reverse(TANK, 'row-1', 0)
  t.deepEqual((await ask()).totals, totals(2, 101n))
  await tanks.settle(TANK, 'row-1', 1, 7n)
  t.deepEqual((await ask()).totals, totals(3, 108n))
})

function totals(transactions: number, amount: bigint): Totals {
  const gas = { gas_used: String(7 * transactions), l1_fee: String(2 * transactions) }
  return { transactions, ...gas, native_amount: String(amount) }
}

test('random histories: every page, window and grouping adds up to the tank', async (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const { clock, tanks, settle, ask } = rig(t)
  await tanks.deposit(TANK, 'all', 10n ** 30n)
  const debited: Debited[] = []
  for (let i = 0; i < fuzzCount(150); i++) {
    clock.nowMs += random.below(DAY_MS / 2)
    const from = random.pick(['0xA', '0xB', '0xC'] as const)
    let [amount, epoch] = [10n ** BigInt(random.below(20)), 0]
    await settle(`row-${i}`, from, amount)
    while (random.below(5) === 0) {
      await tanks.reverse(TANK, `row-${i}`, epoch++)
      // A clock of another process is behind.
      clock.nowMs += random.below(DAY_MS) - DAY_MS / 3
      amount += 1n
      await settle(`row-${i}`, from, amount, epoch)
    }
    debited.push({ atMs: clock.nowMs, amount, from })
  }
  const all = sum(debited.map(({ amount }) => amount))
  t.is((await tanks.read(TANK)).debited, String(all))
  for (const limit of [1, 7, 1_000]) t.is(sum((await pages(ask, { limit })).map((row) => row.native_amount)), all)
  for (const groupBy of ['day', 'from'] as const) {
    const { totals: told, usage } = await ask({ groupBy })
    t.is(told.native_amount, String(all))
    t.is(sum(usage.map((row) => row.native_amount)), all)
    t.is(new Set(usage.map((row) => row[groupBy])).size, usage.length)
  }
  for (const from of ['0xA', '0xB', '0xC'] as const) {
    const own = debited.filter((each) => each.from === from).map(({ amount }) => amount)
    const group = (await ask({ groupBy: 'from' })).usage.find((row) => row.from === from)
    t.is(group?.native_amount, own.length === 0 ? undefined : String(sum(own)))
  }
  for (let i = 0; i < 30; i++) {
    const fromMs = FIRST_MS + random.below(clock.nowMs - FIRST_MS)
    const toMs = fromMs + random.below(20 * DAY_MS)
    const inside = debited.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    const rows = await pages(ask, { fromMs, toMs, limit: 1 + random.below(5) })
    t.is(rows.length, inside.length)
    t.is(sum(rows.map((row) => row.native_amount)), sum(inside.map(({ amount }) => amount)))
  }
})

async function pages(ask: (query: Partial<UsageQuery>) => Promise<Usage>, query: Partial<UsageQuery>): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Usage = await ask(cursor === undefined ? query : { ...query, cursor })
    if (page.usage.length > (query.limit ?? 0)) throw new Error('a page is too long')
    rows.push(...page.usage)
    cursor = page.next_cursor
  }
  if (new Set(rows.map((row) => row.activity_id)).size !== rows.length) throw new Error('a row came twice')
  return rows
}

test('however short the page, what is outside the window is passed over in long strides', async (t) => {
  const { clock, journal, tanks, settle, ask, finds } = rig(t)
  await tanks.deposit(TANK, 'all', 10n)
  for (const id of ['inside 1', 'inside 2']) await settle(id, '0xA', 5n)
  const day = dayOf(clock.nowMs)
  const later = Array.from({ length: 1_200 }, (_, i) => ({ operation: `settle:later ${i}:0`, sequence: 100 + i }))
  const base = {
    v: 0,
    tankId: TANK,
    day,
    kind: 'settle',
    atMs: clock.nowMs + 1,
    postings: [],
    subject: 'later',
  } as const
  const insert = (entry: (typeof later)[0]) =>
    journal.insert({ ...base, ...entry, _id: journalId(TANK, entry.operation), postings: [] })
  await Promise.all(later.map(insert))
  const { usage, next_cursor } = await ask({ fromMs: 0, toMs: clock.nowMs + 1, limit: 1 })
  t.deepEqual([usage.length, finds() < 10], [1, true], `${finds()} finds`)
  const rest = await ask({ fromMs: 0, toMs: clock.nowMs + 1, limit: 1, cursor: next_cursor ?? '' })
  t.deepEqual(
    [...usage, ...rest.usage].map((row) => row.activity_id),
    ['inside 2', 'inside 1'],
  )
})

test('a cursor of another kind is refused', async (t) => {
  const { ask } = rig(t)
  await t.throwsAsync(ask({ cursor: 'x' }), { instanceOf: RelayError })
})

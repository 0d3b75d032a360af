/** The budget's arithmetic: exact at the caps, over hours and days, and against a naive count of all that was spent. */
import test from 'ava'
import { emptyBook, hold, overdrawn, spend, type GasBook, type GasCaps } from '../../../plugins/x402/budget/gas-book.ts'
import { SeededRandom, seedOfRun } from '../../support/seeded-random.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 20_000 * DAY + 5 * HOUR
const caps: GasCaps = { perDay: 100n, per30Days: 250n }

function held(book: GasBook, name: string, most: bigint, nowMs = NOW): GasBook {
  const next = hold(book, name, most, caps, nowMs)
  if (typeof next === 'string') throw new Error(next)
  return next
}

test('one below, at and above the cap', (t) => {
  const book = held(emptyBook('a'), 'first', 60n)
  t.is(overdrawn(book, 39n, caps, NOW), undefined)
  t.is(overdrawn(book, 40n, caps, NOW), undefined)
  t.is(overdrawn(book, 41n, caps, NOW), 'x402_daily_gas_cap_exceeded')
})

test('what is held twice under one name is held once, and spent once', (t) => {
  const once = held(emptyBook('a'), 'first', 60n)
  t.is(held(once, 'first', 60n), once)
  const spent = spend(once, 'first', 50n, NOW)
  t.is(spend(spent, 'first', 50n, NOW), spent)
  t.is(overdrawn(spent, 50n, caps, NOW), undefined)
  t.is(overdrawn(spent, 51n, caps, NOW), 'x402_daily_gas_cap_exceeded')
})

test('an hour counts until all of it is a day old, a day until all of it is thirty days old', (t) => {
  const spent = spend(held(emptyBook('a'), 'first', 100n), 'first', 100n, NOW)
  t.is(overdrawn(spent, 1n, caps, NOW + DAY + HOUR - 1), 'x402_daily_gas_cap_exceeded')
  t.is(overdrawn(spent, 100n, caps, NOW + DAY + HOUR), undefined)
  t.is(overdrawn(spent, 151n, { ...caps, perDay: 999n }, NOW + 2 * DAY), 'x402_monthly_gas_cap_exceeded')
  t.is(overdrawn(spent, 151n, { ...caps, perDay: 999n }, NOW + 31 * DAY), undefined)
})

test('a try that came to nothing leaves no trace', (t) => {
  const book = spend(held(emptyBook('a'), 'first', 100n), 'first', 0n, NOW)
  t.deepEqual(book, emptyBook('a'))
})

test('in no 24 hours and no 30 days is more spent than allowed', (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  let book = emptyBook('a')
  const spending: { atMs: number; cost: bigint }[] = []
  let nowMs = NOW
  let refusals = 0
  for (let i = 0; i < 5_000; i++) {
    nowMs += random.below(3 * HOUR)
    const most = BigInt(1 + random.below(40))
    const next = hold(book, `n${i}`, most, caps, nowMs)
    if (typeof next === 'string') {
      refusals += 1
      continue
    }
    const cost = BigInt(random.below(Number(most) + 1))
    nowMs += random.below(60_000)
    book = spend(next, `n${i}`, cost, nowMs)
    spending.push({ atMs: nowMs, cost })
    const within = (windowMs: number) =>
      spending.filter(({ atMs }) => atMs > nowMs - windowMs).reduce((sum, each) => sum + each.cost, 0n)
    t.true(within(DAY) <= caps.perDay && within(30 * DAY) <= caps.per30Days)
    t.true(Object.keys(book.hours).length <= 25 && Object.keys(book.days).length <= 31)
  }
  t.true(refusals > 100 && spending.length > 100)
})

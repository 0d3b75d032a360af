/** `time` expressions: timestamps and cron spans, against a search minute by minute. */
import test from 'ava'
import { isInSpan, readCronSpan, type CronSpan } from '../../../policies/language/cron-span.ts'
import { keywords } from '../../../policies/facts/schema.ts'
import { readTimestamp } from '../../../policies/language/timestamp.ts'
import { naiveCronSpan } from '../../support/naive-policy.ts'
import { valueOf } from '../../support/policies.ts'
import { seedOfRun, SeededRandom } from '../../support/seeded-random.ts'

const at = (text: string) => Date.parse(text)
const holdsAt = (text: string, now: string) =>
  valueOf(text, keywords.time, new Map([['time', new Map([['now', at(now)]])]]))

test('timestamps with a zero offset', (t) => {
  t.is(readTimestamp('2026-03-01T00:00:00Z'), at('2026-03-01T00:00:00Z'))
  t.is(readTimestamp('2026-03-01t00:00:00z'), at('2026-03-01T00:00:00Z'))
  t.is(readTimestamp('2026-03-01T00:00:00+00:00'), at('2026-03-01T00:00:00Z'))
  t.is(readTimestamp('2026-03-01T00:00:00-00:00'), at('2026-03-01T00:00:00Z'))
  t.is(readTimestamp('2026-03-01T23:59:59.5Z'), at('2026-03-01T23:59:59.500Z'))
  t.is(readTimestamp('2026-03-01T23:59:59.123Z'), at('2026-03-01T23:59:59.123Z'))
  t.is(readTimestamp('2028-02-29T00:00:00Z'), at('2028-02-29T00:00:00Z'))
  t.is(readTimestamp('0099-01-01T00:00:00Z'), at('0099-01-01T00:00:00Z'))
})

const noTimestamps = [
  ...[
    '',
    '2026',
    '2026-03-01',
    '2026-03-01 00:00:00Z',
    '2026-03-01T00:00Z',
    '2026-03-01T00:00:00',
    ' 2026-03-01T00:00:00Z',
  ],
  ...['2026-03-01T00:00:00+01:00', '2026-03-01T00:00:00-05:00', '2026-03-01T00:00:00+0000', '2026-03-01T00:00:00.Z'],
  ...[
    '2026-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
  ],
  ...[
    '2026-03-01T24:00:00Z',
    '2026-03-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-03-01T00:00:00.1234Z',
    '12026-03-01T00:00:00Z',
  ],
]
for (const text of noTimestamps)
  test(`${text || 'nothing'} is no timestamp`, (t) => t.is(readTimestamp(text), undefined))

test('a one-shot window begins with its start and ends before its end', (t) => {
  const march = "time.now >= Timestamp('2026-03-01T00:00:00Z') && time.now < Timestamp('2026-04-01T00:00:00Z')"
  t.is(holdsAt(march, '2026-02-28T23:59:59.999Z'), false)
  t.is(holdsAt(march, '2026-03-01T00:00:00.000Z'), true)
  t.is(holdsAt(march, '2026-03-31T23:59:59.999Z'), true)
  t.is(holdsAt(march, '2026-04-01T00:00:00.000Z'), false)
  const then = "time.now == Timestamp('2026-03-01T00:00:00Z')"
  t.is(holdsAt(then, '2026-03-01T00:00:00Z'), true)
  t.is(holdsAt(`!(${then})`, '2026-03-01T00:00:00.001Z'), true)
})

test('business hours, nights, and days of month or week', (t) => {
  const hours = "CronSpan('0 9 * * 1-5', '8h', 'UTC')"
  // 2026-03-06 is a Friday.
  t.is(holdsAt(hours, '2026-03-06T08:59:59.999Z'), false)
  t.is(holdsAt(hours, '2026-03-06T09:00:00.000Z'), true)
  t.is(holdsAt(hours, '2026-03-06T16:59:59.999Z'), true)
  t.is(holdsAt(hours, '2026-03-06T17:00:00.000Z'), false)
  t.is(holdsAt(hours, '2026-03-07T12:00:00Z'), false)
  t.is(holdsAt("CronSpan('0 22 * * *', '8h', 'Etc/UTC')", '2026-03-07T05:59:59Z'), true)
  t.is(holdsAt("CronSpan('0 22 * * *', '8h', 'Etc/UTC')", '2026-03-07T06:00:00Z'), false)
  const either = "CronSpan('0 9 1 * 1', '1m', 'UTC')"
  t.is(holdsAt(either, '2026-03-01T09:00:00Z'), true)
  t.is(holdsAt(either, '2026-03-02T09:00:30Z'), true)
  t.is(holdsAt(either, '2026-03-03T09:00:00Z'), false)
  t.is(holdsAt("CronSpan('0 0 29 2 *', '7d', 'UTC')", '2028-03-06T23:59:59Z'), true)
  t.is(holdsAt("CronSpan('0 0 29 2 *', '7d', 'UTC')", '2028-03-07T00:00:00Z'), false)
  t.is(holdsAt("CronSpan('0 0 31 4 *', '7d', 'UTC')", '2028-05-01T00:00:00Z'), false)
})

const noSpans: [string, string, string, RegExp][] = [
  ['* * * * *', '1m', 'America/New_York', /time zone/],
  ['* * * * *', '1m', '', /time zone/],
  ['* * * * *', '1m', 'utc', /time zone/],
  ...['', '0m', '0d0h0m', '8', '1s', '1.5h', '1h1d', '-1h', '8d', '7d1m', '169h', '10081m', '999999m', ' 1h'].map(
    (duration): [string, string, string, RegExp] => ['* * * * *', duration, 'UTC', /duration/],
  ),
  ...[
    ...[
      '',
      '* * * *',
      '* * * * * *',
      '*  * * * *',
      ' * * * * *',
      '60 * * * *',
      '* 24 * * *',
      '* * 0 * *',
      '* * 32 * *',
    ],
    ...[
      '* * * 0 *',
      '* * * 13 *',
      '* * * * 7',
      '*/5 * * * *',
      '5-1 * * * *',
      '1, * * * *',
      ',1 * * * *',
      '1-2-3 * * * *',
    ],
    ...['@daily', '* * * JAN *', '* * * * MON', '-1 * * * *', '1.5 * * * *', '001 * * * *', '*,1 * * * *', 'a b c d e'],
  ].map((cron): [string, string, string, RegExp] => [cron, '1m', 'UTC', /cron/]),
]
for (const [i, [cron, duration, zone, why]] of noSpans.entries()) {
  test(`no span ${i}: ${cron} | ${duration} | ${zone}`, (t) => {
    const read = readCronSpan(cron, duration, zone)
    t.regex(typeof read === 'string' ? read : 'accepted', why)
  })
}

test('the longest durations, each way to write them', (t) => {
  for (const duration of ['7d', '168h', '10080m', '6d23h60m', '6d24h']) {
    t.is((readCronSpan('* * * * *', duration, 'UTC') as CronSpan).durationMs, 7 * 86_400_000, duration)
  }
})

test('3,000 random spans agree with a search minute by minute', (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const number = (min: number, max: number) => min + random.below(max - min + 1)
  const part = (min: number, max: number) => {
    const [a, b] = [number(min, max), number(min, max)].toSorted((x, y) => x - y)
    return random.below(2) === 0 ? String(a) : `${a}-${b}`
  }
  const field = (min: number, max: number) =>
    random.below(3) === 0 ? '*' : random.list(1 + random.below(2), () => part(min, max)).join(',')
  let inside = 0
  for (let i = 0; i < 3_000; i++) {
    const cron = [field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)].join(' ')
    const duration = random.pick(['1m', '59m', '3h', '1d', '2d7h5m'])
    const now = at('2026-01-01T00:00:00Z') + random.below(1200) * 86_400_000 + random.below(86_400_000)
    const span = readCronSpan(cron, duration, 'UTC') as CronSpan
    const expected = naiveCronSpan(cron, duration, now)
    if (expected) inside++
    if (isInSpan(span, now) !== expected)
      return t.fail(`seed ${seed}: '${cron}', '${duration}' at ${now}: not ${expected}`)
  }
  t.true(inside > 300 && inside < 2_700, `${inside} inside`)
})

/**
 * `CronSpan('cron', 'duration', 'zone')`: each time the cron expression fires, a window of the duration opens; true
 * inside any of them. Documented subset: five fields of numbers, ranges, lists and `*`; no steps, names or macros.
 */

export interface CronSpan {
  minutes: readonly number[]
  hours: readonly number[]
  monthDays: readonly number[]
  months: readonly number[]
  /** 0 is Sunday. */
  weekDays: readonly number[]
  /** With both days restricted either is enough; otherwise the restricted one counts. */
  eitherDay: boolean
  durationMs: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
export const DURATION_MS_MAX = 7 * DAY_MS
/** About as many days, hours and minutes are looked at in the worst case. */
export const SPAN_STEPS = 100

/** The component has no time zone data; these names need none. */
const ZONES = ['UTC', 'Etc/UTC']
const FIELDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const

/** @returns the span, or a sentence that says what is wrong. */
export function readCronSpan(cron: string, duration: string, zone: string): CronSpan | string {
  if (!ZONES.includes(zone)) return `the time zone must be one of ${ZONES.join(', ')}: there is no data on others`
  const durationMs = readDuration(duration)
  if (durationMs === undefined) return 'the duration must be whole days, hours, minutes like 1d12h30m, at most 7 days'
  const texts = cron.split(' ')
  const fields = FIELDS.map(([min, max], i) => readField(texts[i] ?? '', min, max))
  if (texts.length !== FIELDS.length || fields.includes(undefined)) {
    return 'the cron expression must be five fields of numbers, a-b, lists or *: minute, hour, day, month, day of week'
  }
  const [minutes, hours, monthDays, months, weekDays] = fields as [number[], number[], number[], number[], number[]]
  const eitherDay = texts[2] !== '*' && texts[4] !== '*'
  return { minutes, hours, monthDays, months, weekDays, eitherDay, durationMs }
}

function readField(text: string, min: number, max: number): number[] | undefined {
  const all = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  if (text === '*') return all(min, max)
  const numbers = new Set<number>()
  for (const part of text.split(',')) {
    const [, first, last = first] = /^([0-9]{1,2})(?:-([0-9]{1,2}))?$/.exec(part) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (first === undefined || from < min || to > max || from > to) return undefined
    for (const number of all(from, to)) numbers.add(number)
  }
  return [...numbers].toSorted((a, b) => a - b)
}

function readDuration(text: string): number | undefined {
  const [whole, days = '0', hours = '0', minutes = '0'] =
    /^(?:([0-9]{1,5})d)?(?:([0-9]{1,5})h)?(?:([0-9]{1,5})m)?$/.exec(text) ?? []
  const durationMs = Number(days) * DAY_MS + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
  return whole !== undefined && durationMs > 0 && durationMs <= DURATION_MS_MAX ? durationMs : undefined
}

/** @param nowMs Milliseconds since the epoch. */
export function isInSpan(span: CronSpan, nowMs: number): boolean {
  // All windows are equally long, so only the last fire up to now matters.
  const fireMs = lastFire(span, nowMs)
  return fireMs !== undefined && nowMs < fireMs + span.durationMs
}

/** @returns the last fire at or before `nowMs`; undefined when it is longer ago than any duration. */
function lastFire(span: CronSpan, nowMs: number): number | undefined {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  for (let dayMs = today; dayMs >= today - DURATION_MS_MAX; dayMs -= DAY_MS) {
    if (!isFireDay(span, new Date(dayMs))) continue
    for (const hour of span.hours.toReversed()) {
      if (dayMs + hour * HOUR_MS > nowMs) continue
      for (const minute of span.minutes.toReversed()) {
        const fireMs = dayMs + hour * HOUR_MS + minute * MINUTE_MS
        if (fireMs <= nowMs) return fireMs
      }
    }
  }
  return undefined
}

function isFireDay({ monthDays, months, weekDays, eitherDay }: CronSpan, day: Date): boolean {
  const isMonthDay = monthDays.includes(day.getUTCDate())
  const isWeekDay = weekDays.includes(day.getUTCDay())
  return months.includes(day.getUTCMonth() + 1) && (eitherDay ? isMonthDay || isWeekDay : isMonthDay && isWeekDay)
}

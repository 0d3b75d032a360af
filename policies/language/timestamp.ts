/** `Timestamp('...')`: RFC 3339 with a zero offset. */
const RFC_3339 =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,3}))?(?:[Zz]|[+-]00:00)$/

/**
 * @returns milliseconds since the epoch; undefined for anything else, leap seconds and fractions finer than a
 * millisecond among it.
 */
export function readTimestamp(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = ''] = RFC_3339.exec(text) ?? []
  if (year === undefined) return undefined
  const parts = [year, month, day, hour, minute, second].map(Number) as [number, number, number, number, number, number]
  const date = new Date(0)
  // Not Date.UTC, which takes the years 0 to 99 for those of the last century.
  date.setUTCFullYear(parts[0], parts[1] - 1, parts[2])
  date.setUTCHours(parts[3], parts[4], parts[5], Number(fraction.padEnd(3, '0')))
  // The 30th of February would have become a day in March.
  const same = [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ].every((part, i) => part === parts[i])
  return same ? date.getTime() : undefined
}

/** A Timestamp of the wire: whole seconds and nanoseconds since the epoch, both as decimal strings. */
export function presentTime(timeMs: number): { seconds: string; nanos: string } {
  return { seconds: String(Math.floor(timeMs / 1000)), nanos: String((timeMs % 1000) * 1_000_000) }
}

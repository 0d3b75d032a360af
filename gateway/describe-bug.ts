/**
 * What a log may say of an exception that nobody foresaw: its kind and the place in our code. Its message may echo
 * input, and a whole stack shows the machine.
 */
export function describeBug(error: unknown): { bug: string; at: string } {
  if (!(error instanceof Error)) return { bug: typeof error, at: 'unknown' }
  const [, place = 'unknown'] =
    /((?:gateway|plugins|policies|signer-core|cli)\/[\w./-]+:\d+)/.exec(error.stack ?? '') ?? []
  return { bug: error.name, at: place }
}

/** The hold: how long a caller waits for the end of what it has asked for. */

/** @returns undefined when it takes longer than that; it goes on all the same. */
export async function withinHold<T>(end: Promise<T>, holdMs: number): Promise<T | undefined> {
  const { promise: held, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), holdMs)
  try {
    return await Promise.race([end, held])
  } finally {
    clearTimeout(timer)
  }
}

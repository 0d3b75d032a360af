/** Milliseconds since the epoch that never run backwards, so that nothing expired becomes valid again. */
export function createClock(readMs: () => number = Date.now): () => bigint {
  let highestMs = 0
  return () => {
    highestMs = Math.max(highestMs, readMs())
    return BigInt(highestMs)
  }
}

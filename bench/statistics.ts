/** Figures of repeated measurements. A median alone hides how much a machine wavers, so its range goes with it. */

export interface Figure {
  median: number
  low: number
  high: number
}

export function figureOf(values: readonly number[]): Figure {
  return { median: percentile(values, 0.5), low: Math.min(...values), high: Math.max(...values) }
}

/** Nearest rank; NaN of nothing. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

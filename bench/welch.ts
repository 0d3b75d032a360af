/**
 * Whether two classes of inputs take different times, after Reparaz, Balasch and Verbauwhede, "Dude, is my code constant
 * time?" (2017): Welch's t-test over interleaved samples, the slowest cut off at several levels, because interrupts
 * have long tails. Above 4.5 the classes probably differ, above 10 they do.
 */
import { percentile } from './statistics.ts'

/** Keep all samples, or only those below such a part of the whole. */
const CROPS = [1, 0.99, 0.9, 0.5]

interface Moments {
  count: number
  mean: number
  /** Of the mean. */
  variance: number
}

function momentsOf(samples: number[]): Moments {
  const count = samples.length
  const mean = samples.reduce((sum, each) => sum + each, 0) / count
  const squares = samples.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return { count, mean, variance: squares / (count - 1) / count }
}

/** The largest |t| over all crops. */
export function largestT(a: number[], b: number[]): number {
  const all = [...a, ...b]
  const values = CROPS.map((crop) => {
    const limit = crop === 1 ? Number.POSITIVE_INFINITY : percentile(all, crop)
    const [ofA, ofB] = [a, b].map((samples) => momentsOf(samples.filter((each) => each <= limit))) as [Moments, Moments]
    if (ofA.count < 2 || ofB.count < 2) return 0
    return Math.abs(ofA.mean - ofB.mean) / Math.sqrt(ofA.variance + ofB.variance)
  })
  return Math.max(...values)
}

/**
 * The one loop behind every rate here: `clients` callers, each of which asks again when it has been answered. It runs
 * through without a pause and calls are counted where they end, so that neither a start nor a tail falls into a figure.
 */
import { figureOf, percentile, type Figure } from './statistics.ts'

const WARM_UP_SECONDS = 1
/** Before the measured time and after `prepare`, in which everything went idle. */
const LEAD_IN_SECONDS = 0.3
const REPETITIONS = 3

export interface Plan {
  clients: number
  /** Measured time; it is cut into three, and the spread is that of the thirds. */
  seconds: number
}

export interface Measured {
  clients: number
  perSecond: Figure
  p50Ms: Figure
  /** Of all calls: a third alone may have too few. */
  p99Ms: number
  calls: number
  failures: number
}

export interface Hooks {
  /** Between warm-up and measurement, with the rate to expect. */
  prepare?: (callsPerSecond: number) => void
  begin?: () => void
  end?: () => void
}

interface Call {
  endedAtMs: number
  tookMs: number
}

/** @param work One call; false when it did not do what it should. */
export async function measure(plan: Plan, work: () => Promise<boolean>, hooks: Hooks = {}): Promise<Measured> {
  const warmUp = await run(plan.clients, 0, WARM_UP_SECONDS, work)
  hooks.prepare?.(warmUp.calls.length / WARM_UP_SECONDS)
  const { calls, failures, startsAtMs } = await run(plan.clients, LEAD_IN_SECONDS, plan.seconds, work, hooks)
  if (calls.length === 0) throw new Error(`not one call ended in ${plan.seconds} s`)
  const thirdMs = (plan.seconds * 1000) / REPETITIONS
  const thirds = Array.from({ length: REPETITIONS }, (): number[] => [])
  for (const { endedAtMs, tookMs } of calls) thirds[Math.floor((endedAtMs - startsAtMs) / thirdMs)]?.push(tookMs)
  return {
    clients: plan.clients,
    perSecond: figureOf(thirds.map((each) => (each.length / thirdMs) * 1000)),
    p50Ms: figureOf(thirds.filter((each) => each.length > 0).map((each) => percentile(each, 0.5))),
    p99Ms: percentile(
      calls.map((call) => call.tookMs),
      0.99,
    ),
    calls: calls.length,
    failures,
  }
}

/** Runs `clients` callers for both times and keeps the calls that ended in the second. */
async function run(clients: number, leadIn: number, seconds: number, work: () => Promise<boolean>, hooks: Hooks = {}) {
  const startsAtMs = performance.now() + leadIn * 1000
  const endsAtMs = startsAtMs + seconds * 1000
  const calls: Call[] = []
  let failures = 0
  let { begin, end } = hooks
  const caller = async () => {
    for (let nowMs = performance.now(); nowMs < endsAtMs;) {
      const succeeded = await work()
      const endedAtMs = performance.now()
      if (endedAtMs >= startsAtMs) {
        begin?.()
        begin = undefined
        if (!succeeded) failures++
        if (endedAtMs < endsAtMs) calls.push({ endedAtMs, tookMs: endedAtMs - nowMs })
      }
      nowMs = endedAtMs
    }
    end?.()
    end = undefined
  }
  await Promise.all(Array.from({ length: clients }, caller))
  return { calls, failures, startsAtMs }
}

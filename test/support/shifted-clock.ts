/**
 * Loaded with `--import` before a process of a test: its time of day is off by `KEYSTEAD_TEST_CLOCK_AHEAD_MS` (behind when
 * negative), and jumps by as much the other way every `KEYSTEAD_TEST_CLOCK_JUMP_MS`, when that is set.
 */
const aheadMs = Number(process.env['KEYSTEAD_TEST_CLOCK_AHEAD_MS'] ?? '0')
const jumpMs = Number(process.env['KEYSTEAD_TEST_CLOCK_JUMP_MS'] ?? '0')
const trueNow = Date.now.bind(Date)

function offMs(): number {
  const jumps = jumpMs === 0 ? 0 : Math.floor(performance.now() / jumpMs)
  return jumps % 2 === 0 ? aheadMs : -aheadMs
}

const shifted = () => trueNow() + offMs()
Date.now = shifted
globalThis.Date = new Proxy(Date, {
  construct: (target, parameters: []) => (parameters.length === 0 ? new target(shifted()) : new target(...parameters)),
})

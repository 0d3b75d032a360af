import test from 'ava'
import { ApiError } from '../../../gateway/http/errors.ts'
import { timestampWindow } from '../../../gateway/timestamp-window.ts'

const NOW_MS = 1_763_693_520_000
const AGE_MAX_MS = 3_600_000
const AHEAD_MAX_MS = 300_000

function isTaken(ageMaxMs: number, timestampMs: number): boolean {
  try {
    timestampWindow(ageMaxMs, () => NOW_MS)(String(timestampMs))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'TIMESTAMP_INVALID') return false
    throw error
  }
}

test('younger than the age, and at most five minutes ahead', (t) => {
  const taken = (timestampMs: number) => isTaken(AGE_MAX_MS, timestampMs)
  t.deepEqual([NOW_MS - AGE_MAX_MS + 1, NOW_MS, NOW_MS + AHEAD_MAX_MS].map(taken), [true, true, true])
  t.deepEqual([0, NOW_MS - AGE_MAX_MS, NOW_MS + AHEAD_MAX_MS + 1].map(taken), [false, false, false])
})

test('without an age any time is taken', (t) => {
  t.true(isTaken(0, 0))
  t.true(isTaken(0, NOW_MS * 2))
})

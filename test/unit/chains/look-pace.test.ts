/** When the sending engine looks at the chain next. */
import test from 'ava'
import { LookPace } from '../../../gateway/chains/sending/look-pace.ts'

function pauses(pace: LookPace, count: number): number[] {
  return Array.from({ length: count }, () => pace.nextPauseMs())
}

test('usually as it is set, and quicker for a while when something may be mined', (t) => {
  const pace = new LookPace(320)
  t.deepEqual(pauses(pace, 2), [320, 320])
  pace.quicken()
  t.deepEqual(pauses(pace, 7), [10, 20, 40, 80, 160, 320, 320])
  pace.quicken()
  t.deepEqual(pauses(pace, 2), [10, 20])
  pace.quicken()
  t.deepEqual(pauses(pace, 2), [10, 20])
})

test('never without a pause', (t) => {
  const pace = new LookPace(10)
  pace.quicken()
  t.deepEqual(pauses(pace, 5), [1, 2, 4, 8, 10])
})

test('a whole look is due at the first time, and again after the usual pause', (t) => {
  const pace = new LookPace(3_600_000)
  t.true(pace.isWholeDue())
  pace.wholeDone()
  t.false(pace.isWholeDue())
  const impatient = new LookPace(0)
  impatient.wholeDone()
  t.true(impatient.isWholeDue())
})

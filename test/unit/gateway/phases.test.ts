import test from 'ava'
import { isFinal, mayLeadTo, phases, type ActivityPhase } from '../../../gateway/activities/phases.ts'

test('final phases lead nowhere, all others somewhere', (t) => {
  const final = (Object.keys(phases) as ActivityPhase[]).filter(isFinal)
  t.deepEqual(final, ['completed', 'failed', 'refused'])
})

test('an outcome that is fixed can only be completed', (t) => {
  t.true(mayLeadTo('executed', 'completed'))
  for (const phase of ['accepted', 'failed', 'refused', 'executed'] as const)
    t.false(mayLeadTo('executed', phase), phase)
  t.false(mayLeadTo('completed', 'failed'))
})

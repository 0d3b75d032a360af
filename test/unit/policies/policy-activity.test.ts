import test from 'ava'
import { policyActivity } from '../../../policies/policy-activity.ts'

const NOW = Date.parse('2026-03-02T10:00:00Z')

test('a policy is active when its time holds, or when it has none', (t) => {
  t.deepEqual(policyActivity('', NOW), { active: true })
  t.deepEqual(policyActivity(' \n', NOW), { active: true })
  t.deepEqual(policyActivity("time.now >= Timestamp('2026-03-02T10:00:00Z')", NOW), { active: true })
  t.deepEqual(policyActivity("time.now >= Timestamp('2026-03-02T10:00:00Z')", NOW - 1), { active: false })
  t.deepEqual(policyActivity("CronSpan('0 9 * * 1-5', '8h', 'UTC')", NOW), { active: true })
  t.deepEqual(policyActivity("CronSpan('0 9 * * 0', '8h', 'UTC')", NOW), { active: false })
})

test('one that cannot be told is not active, and says why', (t) => {
  for (const time of ['time.now >=', 'eth.tx.value == 1', 'time.now == 5']) {
    const { active, error } = policyActivity(time, NOW)
    t.false(active)
    t.truthy(error, time)
  }
})

import test from 'ava'
import { decide } from '../../../policies/decide.ts'

const rootQuorum = { threshold: 2, userIds: ['a', 'b', 'c'] }

test('the root quorum allows', (t) => {
  t.deepEqual(decide({ approverIds: ['a', 'b'], rootQuorum }), { outcome: 'allow', policyIds: [] })
  t.is(decide({ approverIds: ['a'], rootQuorum: { threshold: 1, userIds: ['a'] } }).outcome, 'allow')
})

test('fewer than the threshold must wait, and one user counts once', (t) => {
  const waiting = { outcome: 'needs_approvals', approvals: 1, threshold: 2 }
  t.deepEqual(decide({ approverIds: ['a'], rootQuorum }), waiting)
  t.deepEqual(decide({ approverIds: ['a', 'a'], rootQuorum }), waiting)
  t.deepEqual(decide({ approverIds: ['a', 'x'], rootQuorum }), waiting)
})

test('everybody else is denied by default', (t) => {
  t.is(decide({ approverIds: ['x'], rootQuorum }).outcome, 'deny_implicit')
  t.is(decide({ approverIds: [], rootQuorum }).outcome, 'deny_implicit')
})

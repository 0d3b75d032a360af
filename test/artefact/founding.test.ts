import { randomUUID } from 'node:crypto'
import test from 'ava'
import { Bench, foundingOf, refusalOf } from '../support/component.ts'

const bench = await Bench.open(new Uint8Array(32).fill(5))
const { foundOrganization } = bench.component.gate

// oxlint-disable-next-line no-explicit-any -- each case bends another member
const refusedWhen = (change: (founding: any) => void) => {
  const founding = foundingOf(randomUUID())
  change(founding)
  return refusalOf(() => foundOrganization(JSON.stringify(founding), 1n))
}

test('a founded record is version 1 and keeps what was asked', (t) => {
  const founding = foundingOf(randomUUID()) as { organizationId: string; rootQuorum: object }
  const record = JSON.parse(foundOrganization(JSON.stringify(founding), 42n).text)
  t.like(record, {
    format: 2,
    version: 1,
    organizationId: founding.organizationId,
    createdAtMs: 42,
    rootQuorum: founding.rootQuorum,
  })
})

test('contradictions are refused', (t) => {
  t.is(refusedWhen((f) => (f.rootQuorum.userIds = [randomUUID()])).field, 'rootQuorum.userIds')
  t.is(refusedWhen((f) => (f.rootQuorum.threshold = 2)).field, 'rootQuorum.threshold')
  t.is(
    refusedWhen((f) => (f.rootQuorum.userIds = [...f.rootQuorum.userIds, ...f.rootQuorum.userIds])).field,
    'rootQuorum.userIds',
  )
  t.is(refusedWhen((f) => f.users.push(f.users[0])).field, 'users')
  t.is(refusedWhen((f) => f.users[0].apiKeys.push(f.users[0].apiKeys[0])).field, 'users')
  t.is(refusedWhen((f) => (f.users = [])).field, 'users')
  t.is(refusedWhen((f) => (f.organizationId = 'x')).field, 'organizationId')
  t.is(refusedWhen((f) => (f.users[0].apiKeys[0].publicKey = '04')).code, 'PARAMETERS_INVALID')
  t.is(refusalOf(() => foundOrganization('{', 1n)).code, 'PARAMETERS_INVALID')
})

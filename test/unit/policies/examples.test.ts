/** Each document in policies/examples: what it must allow and what it must not. */
import { readdirSync } from 'node:fs'
import test from 'ava'
import type { ActivitySubject } from '../../../policies/facts/condition-facts.ts'
import { policyFaults } from '../../../policies/policy.ts'
import { ether, exampleCases, PAYER, SERVICE, STATION } from '../../support/policy-example-cases.ts'
import { decideWith, examplePolicies, examplesPath, transactionSubject } from '../../support/policy-examples.ts'

const [BOB, CID] = ['0b9f3f43-7c6b-4a53-8a4b-3f1d5a2f7c02', 'a3f1c9de-2f54-4d0b-9a37-6f0e8b1c4d03']

const exportKey: ActivitySubject = {
  type: 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY',
  parameters: { privateKeyId: 'k', targetPublicKey: '04' },
}
const rawDigest: ActivitySubject = {
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NO_OP' },
  payloads: {},
}
const authorization: ActivitySubject = {
  type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
  parameters: { encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION', hashFunction: 'HASH_FUNCTION_NO_OP' },
  payloads: { eth: { eip_7702_authorization: { address: STATION, chain_id: '8453', nonce: '0' } } },
}

/** What every document must not allow, whoever asks. */
const never: Record<string, ActivitySubject> = {
  'an export': exportKey,
  'a bare digest': rawDigest,
  'an authorization to run code': authorization,
  'a new policy': { type: 'ACTIVITY_TYPE_CREATE_POLICY_V3', parameters: {} },
}

test('every document is run here, and has no faults', (t) => {
  const files = readdirSync(examplesPath).filter((name) => name !== 'README.md')
  const names = [...Object.keys(exampleCases), 'two-of-three']
  t.deepEqual(files.toSorted(), names.map((name) => `${name}.yaml`).toSorted())
  for (const policy of names.flatMap(examplePolicies)) t.deepEqual(policyFaults(policy), [], policy.policyName)
})

for (const [name, { userId, allowed, denied }] of Object.entries(exampleCases)) {
  test(`${name}: ${Object.keys(allowed).length} requests are allowed, and only to its user`, (t) => {
    const policies = examplePolicies(name)
    for (const [what, { transaction, privateKey }] of Object.entries(allowed)) {
      const subject = transactionSubject(transaction, privateKey)
      t.is(decideWith(policies, subject, [userId]).outcome, 'OUTCOME_ALLOW', what)
      t.is(decideWith(policies, subject, [CID], [userId]).outcome, 'OUTCOME_DENY_IMPLICIT', what)
    }
  })

  test(`${name}: ${Object.keys({ ...denied, ...never }).length} requests are not allowed`, (t) => {
    const transactions = Object.entries(denied).map(
      ([what, { transaction, privateKey }]) => [what, transactionSubject(transaction, privateKey)] as const,
    )
    for (const [what, subject] of [...transactions, ...Object.entries(never)]) {
      t.is(decideWith(examplePolicies(name), subject, [userId], [BOB, CID]).outcome, 'OUTCOME_DENY_IMPLICIT', what)
    }
  })
}

for (const name of ['x402-key', 'relayer-key']) {
  test(`${name}: its user, and no other, may not make or delete API keys`, (t) => {
    for (const type of ['ACTIVITY_TYPE_CREATE_API_KEYS_V2', 'ACTIVITY_TYPE_DELETE_API_KEYS']) {
      const decide = (userId: string) => decideWith(examplePolicies(name), { type, parameters: {} }, [userId]).outcome
      t.is(decide(SERVICE), 'OUTCOME_DENY_EXPLICIT', type)
      t.is(decide(CID), 'OUTCOME_DENY_IMPLICIT', type)
    }
  })
}

const payment = transactionSubject(ether(1n).transaction)

test('two-of-three: one waits, two are enough, others do not count', (t) => {
  const decide = (approverIds: string[], otherIds: string[], subject = payment) =>
    decideWith(examplePolicies('two-of-three'), subject, approverIds, otherIds).outcome
  t.is(decide([PAYER], [BOB, CID]), 'OUTCOME_REQUIRES_CONSENSUS')
  t.is(decide([PAYER, PAYER], [BOB, CID]), 'OUTCOME_REQUIRES_CONSENSUS')
  t.is(decide([PAYER, SERVICE], [BOB, CID]), 'OUTCOME_REQUIRES_CONSENSUS')
  for (const two of [
    [PAYER, BOB],
    [BOB, CID],
    [CID, PAYER],
  ])
    t.is(decide(two, []), 'OUTCOME_ALLOW')
  t.is(decide([SERVICE], [PAYER, BOB, CID]), 'OUTCOME_DENY_IMPLICIT')
  t.is(decide([PAYER], [SERVICE]), 'OUTCOME_DENY_IMPLICIT')
  t.is(decide([PAYER, BOB], [], authorization), 'OUTCOME_ALLOW')
  t.is(decide([PAYER, BOB], [], rawDigest), 'OUTCOME_DENY_EXPLICIT')
  t.is(decide([PAYER, BOB], [], exportKey), 'OUTCOME_DENY_IMPLICIT')
})

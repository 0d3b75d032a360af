/** The documents in policies/examples, and requests to decide on with them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serializeTransaction, type TransactionSerializable } from 'viem'
import { readPolicies } from '../../cli/policy-document.ts'
import { conditionFacts, voteFacts, type ActivitySubject } from '../../policies/facts/condition-facts.ts'
import { decideOnActivity, type Decision } from '../../policies/decision.ts'
import { compilePolicy, type PolicyText } from '../../policies/policy.ts'
import { ethereum } from '../../signer-core/gate/transactions/ethereum.ts'
import { digest, hex, signerOf } from './transactions.ts'

export const examplesPath = join(import.meta.dirname, '../../policies/examples')

export interface PolicyDocument {
  policyName: string
  effect: PolicyText['effect']
  consensus?: string
  condition?: string
  time?: string
  notes: string
}

export function exampleText(name: string): string {
  return readFileSync(join(examplesPath, `${name}.yaml`), 'utf8')
}

/** With the examples of its parameters filled in. */
export function examplePolicies(name: string): PolicyDocument[] {
  const { policies, faults } = readPolicies(exampleText(name))
  if (faults.length > 0) throw new Error(`${name}: ${faults.map(({ message }) => message).join(', ')}`)
  return policies as PolicyDocument[]
}

/** The account of the examples' `eth.tx.from`; its private key is public, in every development chain's list. */
export const EXAMPLE_KEY = '5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'

/** What the gate reads out of a transaction that a key is to sign. */
export function transactionSubject(transaction: TransactionSerializable, privateKey = EXAMPLE_KEY): ActivitySubject {
  const bytes = hex(serializeTransaction(transaction).slice(2))
  const { facts } = ethereum.parse(bytes, signerOf('secp256k1', privateKey), digest)
  const parameters = { type: 'TRANSACTION_TYPE_ETHEREUM' }
  return { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters, payloads: facts }
}

/** The decision on a request that these users have approved, in an organization whose root user is somebody else. */
export function decideWith(
  policies: readonly PolicyDocument[],
  subject: ActivitySubject,
  approverIds: readonly string[],
  otherIds: readonly string[] = [],
): Decision {
  const compiled = policies.map((policy, i) => compilePolicy({ ...policy, policyId: String(i) }))
  const votesOf = (userIds: readonly string[]) =>
    voteFacts(
      userIds.map((id) => ({ id, tags: [], email: '', alias: '' })),
      userIds.map((userId) => ({ id: `key of ${userId}`, user_id: userId, type: 'CREDENTIAL_TYPE_API_KEY_P256' })),
    )
  return decideOnActivity(compiled, {
    facts: () => conditionFacts(subject),
    votes: votesOf(approverIds),
    others: () => votesOf(otherIds),
    rootQuorum: { threshold: 1, userIds: ['root'] },
    rootQuorumOnly: false,
    nowMs: 0,
  })
}

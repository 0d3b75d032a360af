/**
 * The signer component alone, as a host calls it: the gate's whole path, without sockets or another process. As in a
 * running host, receipts are not the first of their chain, so that the identity signs none.
 */
import { randomBytes } from 'node:crypto'
import { Bench, laterPlace, newComponent, refusalOf } from '../test/support/component.ts'
import { resultOf, userParams } from '../test/support/organization-requests.ts'
import { transactionVectors } from '../test/support/transactions.ts'
import type { ComponentJob } from './component-cases.ts'
import { measure, type Measured } from './measure.ts'
import { signing } from './requests.ts'
import { typicalPolicies } from './typical-policies.ts'
import { answerJob } from './worker.ts'

const REQUESTS = 2_000

/** One process measures one case: what one instance keeps in its heap must not slow the next. */
async function component({ what, seconds }: ComponentJob): Promise<Measured> {
  const dataKey = Uint8Array.from(randomBytes(32))
  const bench = await Bench.open(dataKey)
  const { gate } = bench.component
  const plan = { clients: 1, seconds }
  const place = laterPlace()
  if (what === 'instance') {
    // What a host does when it rests: a new instance of the compiled modules, given the data key.
    return measure(plan, async () => {
      const { vault } = await newComponent()
      vault.load(dataKey)
      return true
    })
  }
  if (what === 'refused') {
    // Refused before anything is decoded: what crossing into the component and out again costs.
    const request = bench.request('', {}, [], { body: 'x', place })
    return measure(plan, async () => refusalOf(() => gate.perform(request)).code === 'BODY_INVALID')
  }
  if (what === 'rootDryRun' || what === 'policiesDryRun') {
    const simulate = dryRun(bench, what === 'rootDryRun')
    return measure(plan, async () => simulate().includes('"OUTCOME_ALLOW"'))
  }
  const { key } = bench.create(what === 'sealed' ? 'CURVE_SECP256K1' : `CURVE_${what.toUpperCase()}`)
  const parameters = () => {
    if (what !== 'ed25519') return signing(key.keyId)
    return { ...signing(key.keyId), hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }
  }
  const damaged = { ...key, sealed: key.sealed.map((byte, i) => (i === key.sealed.length - 1 ? byte ^ 1 : byte)) }
  const keys = [what === 'sealed' ? damaged : key]
  const next = inTurn(() => bench.request('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters(), keys, { place }))
  if (what === 'sealed') {
    return measure(plan, async () => refusalOf(() => gate.perform(next())).code === 'SEALED_KEY_REFUSED')
  }
  return measure(plan, async () => gate.perform(next()).result.includes('"r"'))
}

/** Made beforehand: to draw payloads and to hash bodies is not the component's. It keeps nothing of a body. */
function inTurn<T>(make: () => T): () => T {
  const ready = Array.from({ length: REQUESTS }, make)
  let turn = 0
  return () => ready[turn++ % REQUESTS] as T
}

/** Of a transaction that the root quorum may sign, and a user whom one of twenty policies allows it. */
function dryRun(bench: Bench, asRoot: boolean): () => string {
  const { key } = bench.create('CURVE_SECP256K1')
  const [vector] = transactionVectors('ethereum').filter(({ unsignedTransaction }) =>
    unsignedTransaction.startsWith('02'),
  )
  const users = [userParams()]
  const { userIds } = resultOf(bench.change('ACTIVITY_TYPE_CREATE_USERS_V4', { users })) as { userIds: [string] }
  bench.change('ACTIVITY_TYPE_CREATE_POLICIES', { policies: typicalPolicies(userIds[0], key.keyId) })
  const transaction = { unsignedTransaction: vector?.unsignedTransaction, type: 'TRANSACTION_TYPE_ETHEREUM' }
  const parameters = { signWith: key.keyId, ...transaction }
  const {
    stampScheme: _,
    stampPublicKey: __,
    ...request
  } = bench.request('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters, [key])
  const userId = asRoot ? (bench.record.rootQuorum.userIds[0] as string) : userIds[0]
  const subjects = [{ userId, publicKey: undefined }]
  return () => bench.component.gate.simulate({ ...request, subjects, candidatePolicies: undefined })
}

answerJob(component)

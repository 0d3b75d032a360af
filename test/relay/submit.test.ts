/** What submit_transaction answers before and beside the checks of the chain: the same body, and what has no room. */
import test from 'ava'
import type { PrivateKeyAccount } from 'viem'
import { ApiError } from '../../gateway/plugin-api.ts'
import type { Store } from '../../gateway/store/store.ts'
import { RelayError } from '../../plugins/gas-relay/reasons.ts'
import { tankId } from '../../plugins/gas-relay/tank/tank.ts'
import { transactionsSpec, type TransactionDocument } from '../../plugins/gas-relay/transactions/transaction.ts'
import { submitSchema } from '../../plugins/gas-relay/wire/submission.ts'
import { signBatch, startDelegationChain, transfer, type DelegationChain } from '../support/relay/delegation.ts'
import { openRelayRig, ORGANIZATION, type RelayRig } from '../support/relay/relay-rig.ts'
import { submissionOf } from '../support/relay/submissions.ts'
import { relayerAccount } from '../support/sending.ts'

const PAYEE = '0x00000000000000000000000000000000000000bb'
let chain: DelegationChain

test.before(async () => {
  chain = await startDelegationChain()
  await chain.client.setBalance({ address: relayerAccount('one').address, value: 10n ** 21n })
})
test.after.always(() => chain.stop())

function rigOptions() {
  const { rpcUrl, delegate, guard } = chain
  return { rpcUrls: [rpcUrl], relayerKeys: ['one'], contracts: { delegate, guard } }
}

async function sponsored(account: PrivateKeyAccount, units = 1n) {
  const batch = await signBatch(account, [transfer(chain.token, PAYEE, units)])
  return submissionOf(account.address, batch, await chain.authorize(account))
}

/** Holds those who ask whether a body is known, from their answer on. */
function holding(): { wrapStore: (store: Store) => Store; hold: () => () => void } {
  let held: Promise<void> | undefined
  return {
    wrapStore: (store) => ({
      ...store,
      collection(spec) {
        const real = store.collection(spec)
        if ((spec as object) !== transactionsSpec) return real
        return {
          insert: (document) => real.insert(document),
          get: (id) => real.get(id),
          compareAndSet: (document, next) => real.compareAndSet(document, next),
          async find(query) {
            const until = held
            const found = await real.find(query)
            await until
            return found
          },
        }
      },
      ready: () => store.ready(),
      close: () => store.close(),
    }),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => resolve()
    },
  }
}

test.serial('identical bodies get the record, however far the first one has come', async (t) => {
  const gate = holding()
  const rig = await openRelayRig({ ...rigOptions(), wrapStore: gate.wrapStore })
  t.teardown(() => rig.dispose())
  const account = await chain.newAccount()
  const body = await sponsored(account)
  await chain.client.setAutomine(false)
  t.teardown(() => chain.client.setAutomine(true))
  const [letLate, late] = [gate.hold(), rig.send('body', body)]
  const [letLater, later] = [gate.hold(), rig.send('body', body)]
  // Whoever comes now is not held.
  gate.hold()()
  const first = await rig.send('body', body)
  letLate()
  t.is((await late)._id, first._id)
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  await ended(rig, first._id)
  letLater()
  t.like(await later, { _id: first._id, phase: 'confirmed' })
})

test.serial('the window of timestamps is for new bodies: one that is known is answered at any time', async (t) => {
  const body = await sponsored(await chain.newAccount())
  const clock = { nowMs: Date.now() }
  const rig = await openRelayRig({ ...rigOptions(), timestampAgeMaxMs: 60_000, nowMs: () => clock.nowMs })
  t.teardown(() => rig.dispose())
  const timestampMs = String(clock.nowMs)
  const first = await rig.send('body', body, timestampMs)
  clock.nowMs += 60_000
  t.is((await rig.send('body', body, timestampMs))._id, first._id)
  const error = await t.throwsAsync(rig.send('another', body, timestampMs), { instanceOf: ApiError })
  t.is(error?.code, 'TIMESTAMP_INVALID')
})

test.serial('who has no money, or too much under way, is refused before anything is stored', async (t) => {
  const rig = await openRelayRig({ ...rigOptions(), settings: { inFlightMax: '1' } })
  t.teardown(() => rig.dispose())
  const stored = async (organization: string) => (await rig.transactions.list(organization, 10, undefined)).items.length
  const other = '22222222-2222-4333-8444-555555555555'
  const good = await sponsored(await chain.newAccount())
  const reverts = await sponsored(await chain.newAccount(), 10n ** 30n)
  const submit = async (organization: string, parameters: object) => {
    const body = { organizationId: organization, timestampMs: '1', parameters }
    const stamped = { organizationId: organization, digest: crypto.randomUUID() }
    const sent = rig.submit.submit(stamped, submitSchema.parse(body))
    return sent.then(({ phase }) => phase).catch(reasonOf)
  }
  // An empty tank is seen before the node is asked to run anything; one with too little when the cost is known.
  for (const batch of [good, reverts]) t.is(await submit(other, batch), 'relay_insufficient_balance')
  await rig.tanks.deposit(tankId(other, good.caip2), 'a drop', 1n)
  t.is(await submit(other, good), 'relay_insufficient_balance')
  t.is(await submit(other, reverts), 'relay_simulation_reverted')
  t.is(await stored(other), 0)

  await chain.client.setAutomine(false)
  t.teardown(() => chain.client.setAutomine(true))
  t.is(await submit(ORGANIZATION, good), 'broadcasted')
  t.is(await submit(ORGANIZATION, reverts), 'relay_too_many_in_flight')
  t.is(await stored(ORGANIZATION), 1)
})

function reasonOf(error: unknown): string {
  if (error instanceof RelayError) return error.reason
  throw error
}

async function ended(rig: RelayRig, id: string): Promise<TransactionDocument> {
  for (;;) {
    await rig.look()
    const found = await rig.transactions.get(id)
    if (found?.closed === true) return found
  }
}

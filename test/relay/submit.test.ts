/** What submit_transaction answers before and beside the checks of the chain: the same body, and what has no room. */
import test from 'ava'
import type { PrivateKeyAccount } from 'viem'
import type { Store } from '../../gateway/store/store.ts'
import { transactionsSpec, type TransactionDocument } from '../../plugins/gas-relay/transactions/transaction.ts'
import { signBatch, startDelegationChain, transfer, type DelegationChain } from '../support/relay/delegation.ts'
import { openRelayRig, type RelayRig } from '../support/relay/relay-rig.ts'
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

async function ended(rig: RelayRig, id: string): Promise<TransactionDocument> {
  for (;;) {
    await rig.look()
    const found = await rig.transactions.get(id)
    if (found?.closed === true) return found
  }
}

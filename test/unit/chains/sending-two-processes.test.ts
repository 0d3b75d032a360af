/** Two processes with one store: whatever one of them does late, no nonce belongs to two sends. */
import test from 'ava'
import { RpcUnavailableError } from '../../../gateway/chains/chain.ts'
import {
  lanesSpec,
  sendsSpec,
  type LaneDocument,
  type SendDocument,
} from '../../../gateway/chains/sending/documents.ts'
import type { Collection, Store } from '../../../gateway/store/store.ts'
import { openRig, relayerAccount, requestOf } from '../../support/sending.ts'
import { StrictNode } from '../../support/strict-node.ts'

/** The store as a process sees it that stops before it takes anything out of a lane, until it is let go. */
function haltedAtLanes(store: Store, until: Promise<void>): { halted: Store; arrived: Promise<void> } {
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  const collection: Store['collection'] = (spec) => {
    const real = store.collection(spec)
    if (spec.name !== lanesSpec.name) return real
    const compareAndSet: typeof real.compareAndSet = async (stored, next) => {
      if (slotsOf(next) < slotsOf(stored)) {
        resolve()
        await until
      }
      return real.compareAndSet(stored, next)
    }
    return Object.assign(Object.create(real) as typeof real, { compareAndSet })
  }
  return { halted: { ...store, collection }, arrived }
}

function slotsOf(lane: unknown): number {
  return (lane as LaneDocument).slots.length
}

test('a nonce that one gives back late is not taken from a send that has got it from the other', async (t) => {
  const node = new StrictNode()
  node.balances.set(relayerAccount('one').address.toLowerCase(), 10n ** 21n)
  const { url, close } = await node.listen()
  const clock = { ms: Date.now() }
  const common = { rpcUrls: [url], nowMs: () => clock.ms }
  let canTell = false
  const mayStillSend = async () => {
    if (!canTell) throw new RpcUnavailableError('the chain cannot be reached')
    return true
  }
  const other = await openRig(common)
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>()
  const { halted, arrived } = haltedAtLanes(other.store, until)
  const late = await openRig({ ...common, store: halted, folder: other.folder, sender: { mayStillSend } })
  t.teardown(async () => {
    letGo()
    await late.chain.close()
    await other.dispose()
    await close()
  })
  await late.sender.send(requestOf('doubtful'))
  const lanes: Collection<LaneDocument> = other.store.collection(lanesSpec)
  const sends = other.store.collection(sendsSpec)
  const [lane] = (await lanes.find({ where: {}, sort: '_id', limit: 1 })).items as [LaneDocument]
  const doubtful = (await sends.get('test/doubtful')) as SendDocument
  await lanes.compareAndSet(lane, { ...lane, slots: [doubtful._id] })
  await sends.compareAndSet(doubtful, { ...doubtful, state: 'claimed', lane: lane._id, nonce: 0 })

  const lookTwice = async () => {
    await late.sender.look()
    clock.ms += 30_000
    node.mine()
    await late.sender.look()
  }
  const looks = lookTwice()
  await arrived
  await other.sender.look()
  await other.sender.send(requestOf('next'))
  letGo()
  await looks
  canTell = true
  await other.sender.send(requestOf('last'))
  for (let round = 0; round < 5; round++) {
    node.mine()
    clock.ms += 11_000
    await late.sender.look()
    await other.sender.look()
  }
  const records = await Promise.all(['doubtful', 'next', 'last'].map((key) => other.sender.get(key)))
  for (const record of records) t.true(record?.state === 'final' || record?.failure === 'send_expired')
  const nonces = records.flatMap((record) => (record?.state === 'final' ? [record.nonce] : []))
  t.is(new Set(nonces).size, nonces.length)
})

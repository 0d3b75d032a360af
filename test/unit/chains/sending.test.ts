/** The sending engine on a real chain: one transaction for each key, whatever comes in between. */
import test, { type ExecutionContext } from 'ava'
import { RpcUnavailableError } from '../../../gateway/chains/chain.ts'
import {
  lanesSpec,
  sendsSpec,
  type LaneDocument,
  type SendDocument,
} from '../../../gateway/chains/sending/documents.ts'
import { localChain, type LocalChain } from '../../support/local-chain.ts'
import { until } from '../../support/processes.ts'
import { openRig, relayerAccount, requestOf, type Rig, type RigOptions } from '../../support/sending.ts'

const RICH = 10n ** 20n

async function rigOn(t: ExecutionContext, chain: LocalChain, options: Partial<RigOptions> = {}): Promise<Rig> {
  for (const name of options.sender?.relayerKeys ?? ['one']) {
    await chain.client.setBalance({ address: relayerAccount(name).address, value: RICH })
  }
  const rig = await openRig({ rpcUrls: [chain.rpcUrl], ...options })
  t.teardown(() => rig.dispose())
  return rig
}

test('a send is mined, becomes final at its depth and is left behind', async (t) => {
  const chain = await localChain(t)
  const { sender } = await rigOn(t, chain)
  const sent = await sender.send(requestOf('a'))
  t.is(sent.state, 'broadcast')
  await sender.look()
  const included = await sender.get('a')
  t.is(included?.state, 'included')
  t.is(included?.inclusion?.status, 'success')
  t.is(included?.inclusion?.hash, sent.hashes[0])
  const receipt = await chain.client.getTransactionReceipt({ hash: sent.hashes[0] as `0x${string}` })
  t.is(included?.inclusion?.cost, receipt.gasUsed * receipt.effectiveGasPrice)
  await chain.client.mine({ blocks: 1 })
  await sender.look()
  t.is((await sender.get('a'))?.state, 'included', 'one block below the depth')
  await chain.client.mine({ blocks: 1 })
  await sender.look()
  t.is((await sender.get('a'))?.state, 'final')
})

test('with the chain’s own tag nothing is final above it, whatever the depth says, and it is watched below it', async (t) => {
  // `finalized` is two blocks below the head.
  const chain = await localChain(t, { flags: ['--no-mining', '--slots-in-an-epoch', '1'] })
  await chain.client.mine({ blocks: 5 })
  const { sender, store } = await rigOn(t, chain, { settings: { finality: 'finalized', finalityDepth: 1 } })
  await sender.send(requestOf('a'))
  const states: (string | undefined)[] = []
  const slots: number[] = []
  for (let block = 0; block < 4; block++) {
    await chain.client.mine({ blocks: 1 })
    await sender.look()
    states.push((await sender.get('a'))?.state)
    const [lane] = (await store.collection(lanesSpec).find({ where: {}, sort: '_id', limit: 1 })).items
    slots.push(lane?.slots.length ?? -1)
  }
  t.deepEqual(states, ['included', 'included', 'final', 'final'])
  t.deepEqual(slots, [1, 1, 1, 0])
})

test('cancelled: what is not signed fails, what is signed gets a cancel, what is mined stays', async (t) => {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  let isReachable = false
  const mayStillSend = async () => {
    if (!isReachable) throw new RpcUnavailableError('the chain cannot be reached')
    return true
  }
  const { sender } = await rigOn(t, chain, { sender: { mayStillSend }, settings: { finalityDepth: 0 } })
  t.is(await sender.cancel('unknown'), undefined)
  t.is((await sender.send(requestOf('unsigned'))).state, 'accepted')
  t.like(await sender.cancel('unsigned'), { state: 'failed', failure: 'send_expired' })
  isReachable = true
  t.is((await sender.send(requestOf('signed'))).state, 'broadcast')
  t.is((await sender.cancel('signed'))?.state, 'broadcast')
  await sender.look()
  await chain.client.mine({ blocks: 1 })
  await sender.look()
  const cancelled = await sender.get('signed')
  t.is(cancelled?.state, 'replaced')
  t.true((cancelled?.cancelCost ?? 0n) > 0n)
  await sender.send(requestOf('mined'))
  await chain.client.mine({ blocks: 1 })
  await sender.look()
  t.is((await sender.cancel('mined'))?.state, 'final')
  await sender.look()
  t.is((await sender.get('mined'))?.inclusion?.status, 'success')
})

test('while nobody can tell whether a send still makes sense it has no nonce, and those after it are mined', async (t) => {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  const mayStillSend = async (key: string) => {
    if (key === 'doubtful') throw new RpcUnavailableError('the chain cannot be reached')
    return true
  }
  const { sender } = await rigOn(t, chain, { sender: { mayStillSend } })
  t.is((await sender.send(requestOf('doubtful'))).state, 'accepted')
  t.like(await sender.send(requestOf('plain')), { state: 'broadcast', nonce: 0 })
  for (let round = 0; round < 4; round++) {
    await chain.client.mine({ blocks: 1 })
    await sender.look()
  }
  t.is((await sender.get('plain'))?.state, 'final')
  t.is((await sender.get('doubtful'))?.state, 'accepted')
})

test('what has a nonce and was left by a process that died fails, and gives it back, when nobody can tell for long', async (t) => {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  const clock = { ms: Date.now() }
  const mayStillSend = () => Promise.reject(away())
  const { sender, store } = await rigOn(t, chain, { sender: { mayStillSend }, nowMs: () => clock.ms })
  await sender.send(requestOf('left'))
  const sends = store.collection(sendsSpec)
  const left = (await sends.get('test/left')) as SendDocument
  const [lane] = (await store.collection(lanesSpec).find({ where: {}, sort: '_id', limit: 1 })).items
  await store
    .collection(lanesSpec)
    .compareAndSet(lane as LaneDocument, { ...(lane as LaneDocument), slots: [left._id] })
  await sends.compareAndSet(left, { ...left, state: 'claimed', lane: lane?._id as string, nonce: 0 })
  const stateAfter = async (ms: number) => {
    clock.ms += ms
    await sender.look()
    return (await sender.get('left'))?.state
  }
  t.is(await stateAfter(0), 'claimed')
  t.is(await stateAfter(30_000), 'claimed', 'the chain stands still, for others too')
  await chain.client.mine({ blocks: 1 })
  t.is(await stateAfter(0), 'failed')
  t.deepEqual((await store.collection(lanesSpec).find({ where: {}, sort: '_id', limit: 1 })).items[0]?.slots, [])
})

function away(): Error {
  return new RpcUnavailableError('the chain cannot be reached')
}

test('the same key many times at once is one transaction', async (t) => {
  const chain = await localChain(t)
  const { sender } = await rigOn(t, chain)
  const all = await Promise.all(Array.from({ length: 200 }, () => sender.send(requestOf('a'))))
  t.is(new Set(all.map((each) => each.hashes[0])).size, 1)
  const address = relayerAccount('one').address
  t.is(await chain.client.getTransactionCount({ address }), 1)
})

test('many sends take consecutive nonces, and those without room wait for it', async (t) => {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  const { sender } = await rigOn(t, chain, { settings: { inFlightMax: 8, finalityDepth: 0 } })
  const keys = Array.from({ length: 20 }, (_, i) => `key ${i}`)
  const all = await Promise.all(keys.map((key) => sender.send(requestOf(key))))
  t.is(all.filter(({ state }) => state === 'broadcast').length, 8)
  t.is(all.filter(({ state }) => state === 'accepted').length, 12)
  for (let round = 0; round < 6; round++) {
    await chain.client.mine({ blocks: 1 })
    await sender.look()
  }
  const records = await Promise.all(keys.map((key) => sender.get(key)))
  t.true(records.every((each) => each?.state === 'final'))
  t.deepEqual(
    records.map((each) => each?.nonce ?? -1).toSorted((a, b) => a - b),
    keys.map((_, i) => i),
  )
})

test('what is in a block makes room long before it is final', async (t) => {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  const { sender } = await rigOn(t, chain, { settings: { inFlightMax: 2, finalityDepth: 50 } })
  const states = () => Promise.all(['a', 'b', 'c'].map(async (key) => (await sender.get(key))?.state))
  for (const key of ['a', 'b', 'c']) await sender.send(requestOf(key))
  t.deepEqual(await states(), ['broadcast', 'broadcast', 'accepted'])
  await chain.client.mine({ blocks: 1 })
  await sender.look()
  t.deepEqual(await states(), ['included', 'included', 'broadcast'])
})

test('after a broadcast the chain is looked at sooner than usual', async (t) => {
  const chain = await localChain(t)
  // First after two seconds, without that after a minute and more.
  const { sender } = await rigOn(t, chain, { settings: { pollMs: 64_000 } })
  await sender.send(requestOf('a'))
  t.is((await sender.waitFor('a', ['included'], 30_000)).state, 'included')
})

test('two engines with one store and one key send each key once', async (t) => {
  const chain = await localChain(t)
  const first = await rigOn(t, chain, { settings: { finalityDepth: 0, inFlightMax: 64 } })
  const second = await openRig({
    rpcUrls: [chain.rpcUrl],
    store: first.store,
    settings: { finalityDepth: 0, inFlightMax: 64 },
  })
  t.teardown(() => second.chain.close())
  const keys = Array.from({ length: 12 }, (_, i) => `key ${i}`)
  await Promise.all(keys.flatMap((key) => [first, second].map(({ sender }) => sender.send(requestOf(key)))))
  await until('the end of all', async () => {
    await Promise.all([first.sender.look(), second.sender.look()])
    const records = await Promise.all(keys.map((key) => first.sender.get(key)))
    return records.every((record) => record?.state === 'final')
  })
  const records = await Promise.all(keys.map((key) => second.sender.get(key)))
  t.is(new Set(records.map((record) => record?.nonce)).size, keys.length)
  t.is(await chain.client.getTransactionCount({ address: relayerAccount('one').address }), keys.length)
})

test('whoever waits is woken by what it waits for, and told how far it came when that takes too long', async (t) => {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  const { sender } = await rigOn(t, chain, { settings: { pollMs: 20 } })
  await sender.send(requestOf('a'))
  t.is((await sender.waitFor('a', ['included'], 50)).state, 'broadcast')
  const waiting = sender.waitFor('a', ['final'], 60_000)
  await chain.client.mine({ blocks: 4 })
  t.is((await waiting).state, 'final')
  await t.throwsAsync(sender.waitFor('never sent', ['final'], 1))
})

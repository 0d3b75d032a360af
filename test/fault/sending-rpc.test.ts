/**
 * The sending engine behind endpoints that lose, delay, refuse, lie and lag, and on chains that are reorganized at random:
 * nothing ends that has not ended, and everything ends once.
 */
import test, { type ExecutionContext } from 'ava'
import { toHex } from 'viem'
import { localChain, type LocalChain } from '../support/local-chain.ts'
import { startRpcProxy, type RpcFault } from '../support/rpc-proxy.ts'
import { fuzzCount, SeededRandom, seedOfRun } from '../support/seeded-random.ts'
import { openRig, relayerAccount, requestOf, type Rig } from '../support/sending.ts'

const relayer = relayerAccount('one').address

async function start(t: ExecutionContext): Promise<LocalChain> {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  await chain.client.setBalance({ address: relayer, value: 10n ** 21n })
  return chain
}

/** What counts as ended stands on the chain, as it is said. */
async function assertTrue(
  t: ExecutionContext,
  chain: LocalChain,
  sender: Rig['sender'],
  keys: string[],
): Promise<void> {
  for (const key of keys) {
    const record = await sender.get(key)
    t.false(record?.state === 'failed' || record?.state === 'replaced', `${key} is ${record?.state}`)
    if (record?.state !== 'final') continue
    const hash = record.inclusion?.hash as `0x${string}`
    const receipt = await chain.client.getTransactionReceipt({ hash })
    t.is(record.inclusion?.blockHash, receipt.blockHash, key)
    t.is(record.inclusion?.status, receipt.status, key)
    t.is(record.inclusion?.cost, receipt.gasUsed * receipt.effectiveGasPrice, key)
  }
}

async function assertAllOnce(
  t: ExecutionContext,
  chain: LocalChain,
  sender: Rig['sender'],
  keys: string[],
): Promise<void> {
  for (const key of keys) t.is((await sender.get(key))?.state, 'final', key)
  const height = await chain.client.getBlockNumber()
  const mined: string[] = []
  for (let blockNumber = 0n; blockNumber <= height; blockNumber++) {
    const { transactions } = await chain.client.getBlock({ blockNumber, includeTransactions: true })
    mined.push(...transactions.map(({ input }) => input))
  }
  t.deepEqual(mined.toSorted(), keys.map((key) => toHex(key)).toSorted())
}

/** Of what is final: a thousand receipts in each of a thousand rounds would be too many. */
const CHECKED = 20

const FAULTS: readonly RpcFault[] = ['lost', 'refused', 'overloaded', 'delayed', 'garbage', 'null', 'stale', 'lying']

test.serial('one endpoint answers badly every other time, beside one that does not', async (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const chain = await start(t)
  let isBad = true
  const faultOf = () => (isBad && random.below(2) === 0 ? random.pick(FAULTS) : undefined)
  const proxies = [await startRpcProxy(chain.rpcUrl, faultOf), await startRpcProxy(chain.rpcUrl, () => undefined)]
  t.teardown(() => Promise.all(proxies.map((proxy) => proxy.close())))
  let nowMs = Date.now()
  const rig = await openRig({
    rpcUrls: proxies.map(({ url }) => url),
    nowMs: () => nowMs,
    settings: { inFlightMax: 64 },
  })
  t.teardown(() => rig.dispose())
  const keys: string[] = []
  for (let round = 0; round < fuzzCount(25); round++) {
    const fresh = Array.from({ length: random.below(4) }, (_, i) => `key ${round}/${i}`)
    for (const key of fresh) {
      const sent = await rig.sender.send(requestOf(key, { validUntilMs: nowMs + 3_600_000 })).catch(() => undefined)
      // Without a lane that could be looked at, nothing is stored and the caller knows.
      if (sent !== undefined) keys.push(key)
    }
    await chain.client.mine({ blocks: random.below(3) })
    nowMs += 11_000
    await rig.sender.look()
    await assertTrue(t, chain, rig.sender, keys)
  }
  isBad = false
  for (let round = 0; round < 12; round++) {
    await chain.client.mine({ blocks: 1 })
    nowMs += 11_000
    await rig.sender.look()
  }
  await assertAllOnce(t, chain, rig.sender, keys)
  t.log(`${keys.length} sends, ${proxies[0]?.faults()} bad answers`)
  t.true((proxies[0]?.faults() ?? 0) > 50)
})

test.serial('while two endpoints contradict each other nothing becomes final', async (t) => {
  const chain = await start(t)
  let isLying = true
  const proxy = await startRpcProxy(chain.rpcUrl, () => (isLying ? 'lying' : undefined))
  t.teardown(() => proxy.close())
  const rig = await openRig({ rpcUrls: [chain.rpcUrl, proxy.url], settings: { finalityDepth: 1 } })
  t.teardown(() => rig.dispose())
  await rig.sender.send(requestOf('a'))
  for (let round = 0; round < 5; round++) {
    await chain.client.mine({ blocks: 1 })
    await rig.sender.look()
  }
  t.is((await rig.sender.get('a'))?.state, 'included')
  isLying = false
  await rig.sender.look()
  t.is((await rig.sender.get('a'))?.state, 'final')
})

test.serial('an endpoint of another chain refuses to start, and one that becomes it later is not asked', async (t) => {
  const chain = await start(t)
  const wrong = await startRpcProxy(chain.rpcUrl, () => 'wrong-chain')
  t.teardown(() => wrong.close())
  await t.throwsAsync(openRig({ rpcUrls: [chain.rpcUrl, wrong.url] }), { name: 'WrongChainError' })
  let isThere = false
  const late = await startRpcProxy(chain.rpcUrl, () => (isThere ? 'wrong-chain' : 'refused'))
  t.teardown(() => late.close())
  const rig = await openRig({ rpcUrls: [late.url] })
  t.teardown(() => rig.dispose())
  isThere = true
  await t.throwsAsync(rig.sender.send(requestOf('a')), { message: 'no_lane' })
  t.is(await chain.client.getTransactionCount({ address: relayer, blockTag: 'pending' }), 0)
})

test.serial('answers to sending that are lost lead to one transaction', async (t) => {
  const chain = await start(t)
  const proxy = await startRpcProxy(chain.rpcUrl, (method) =>
    method === 'eth_sendRawTransaction' ? 'lost' : undefined,
  )
  t.teardown(() => proxy.close())
  const rig = await openRig({ rpcUrls: [proxy.url], settings: { inFlightMax: 200 } })
  t.teardown(() => rig.dispose())
  const keys = Array.from({ length: fuzzCount(40) }, (_, i) => `key ${i}`)
  const sent = await Promise.all(keys.map((key) => rig.sender.send(requestOf(key))))
  t.true(sent.every(({ state }) => state === 'broadcast'))
  for (let round = 0; round < 5; round++) {
    await chain.client.mine({ blocks: 1 })
    await rig.sender.look()
  }
  for (const [i, key] of keys.entries()) t.is((await rig.sender.get(key))?.inclusion?.hash, sent[i]?.hashes[0])
  await assertAllOnce(t, chain, rig.sender, keys)
})

test.serial('reorganizations at random take nothing final away and lose nothing', async (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const chain = await start(t)
  let nowMs = Date.now()
  const settings = { finalityDepth: 5, inFlightMax: 64 }
  const rig = await openRig({ rpcUrls: [chain.rpcUrl], nowMs: () => nowMs, settings })
  t.teardown(() => rig.dispose())
  await chain.client.mine({ blocks: 5 })
  const keys: string[] = []
  const ended = new Set<string>()
  let reorganized = 0
  for (let round = 0; round < fuzzCount(40); round++) {
    for (let i = random.below(3); i > 0; i--) {
      keys.push(`key ${round}/${i}`)
      await rig.sender.send(requestOf(`key ${round}/${i}`, { validUntilMs: nowMs + 3_600_000 }))
    }
    await chain.client.mine({ blocks: 1 + random.below(2) })
    if (random.below(3) > 0) await rig.sender.look()
    if (random.below(2) === 0) {
      await chain.client.request({ method: 'anvil_reorg', params: [1 + random.below(4), []] } as never)
      reorganized++
    }
    nowMs += 11_000
    await rig.sender.look()
    await assertTrue(t, chain, rig.sender, [...ended].slice(-CHECKED))
    for (const key of keys) {
      if ((await rig.sender.get(key))?.state === 'final') ended.add(key)
      else t.false(ended.has(key), `${key} was final`)
    }
  }
  for (let round = 0; round < 12; round++) {
    await chain.client.mine({ blocks: 1 })
    nowMs += 11_000
    await rig.sender.look()
  }
  t.log(`${keys.length} sends, ${reorganized} reorganizations`)
  await assertAllOnce(t, chain, rig.sender, keys)
})

/** The sending engine on a real chain: one transaction for each key, whatever comes in between. */
import test, { type ExecutionContext } from 'ava'
import { localChain, type LocalChain } from '../../support/local-chain.ts'
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

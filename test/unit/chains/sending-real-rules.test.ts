/** The sending engine against the rules of real nodes, which a local chain does not have. */
import test, { type ExecutionContext } from 'ava'
import { parseTransaction, type Hex } from 'viem'
import type { Signed } from '../../../gateway/chains/sending/signing.ts'
import { StrictNode } from '../../support/strict-node.ts'
import { GWEI, openRig, relayerAccount, requestOf, signerDouble, type RigOptions } from '../../support/sending.ts'

const relayer = relayerAccount('one').address.toLowerCase()

async function start(t: ExecutionContext, options: Partial<RigOptions> = {}) {
  const { keys, signed } = signerDouble()
  const node = new StrictNode()
  node.balances.set(relayer, 10n ** 21n)
  const { url, close } = await node.listen()
  const clock = { ms: Date.now() }
  const rig = await openRig({ rpcUrls: [url], nowMs: () => clock.ms, keys, ...options })
  t.teardown(async () => {
    await rig.dispose()
    await close()
  })
  /** A block, and a look at it later than anything waits. */
  const next = async (blocks = 1) => {
    node.mine(blocks)
    clock.ms += 11_000
    await rig.sender.look()
  }
  return { node, clock, next, signed, ...rig }
}

test('what waits below the base fee is replaced by offers that nodes take, until it is mined', async (t) => {
  const { node, next, sender } = await start(t)
  await sender.send(requestOf('a', { feeCeiling: 90n * GWEI }))
  for (const gwei of [5n, 8n, 20n]) {
    node.baseFee = gwei * GWEI
    await next()
  }
  t.deepEqual(
    node.answers.filter((answer) => answer !== 'ok' && answer !== 'already known'),
    [],
  )
  await next(4)
  await next()
  const record = await sender.get('a')
  t.is(record?.state, 'final')
  t.true((record?.hashes.length ?? 0) >= 2)
})

test('a transaction that nobody mines is raised in both fields, step by step, and never above its ceiling', async (t) => {
  const { node, next, sender } = await start(t)
  const feeCeiling = 6n * GWEI
  await sender.send(requestOf('a', { feeCeiling }))
  node.baseFee = 7n * GWEI
  for (let round = 0; round < 15; round++) await next(11)
  const underpriced = node.answers.filter((answer) => answer.includes('underpriced'))
  t.deepEqual(underpriced, [])
  const { hashes = [] } = (await sender.get('a')) ?? {}
  t.true(hashes.length >= 2 && hashes.length < 15, `${hashes.length} attempts`)
  node.baseFee = GWEI
  await next()
  await next(3)
  await next()
  t.is((await sender.get('a'))?.state, 'final')
})

test('a cancel costs no more than what it cancels could have, and after a while what it has to', async (t) => {
  const { node, clock, next, sender, signed } = await start(t)
  await sender.send(requestOf('a', { feeCeiling: 3n * GWEI, gasLimit: 63_000n, validUntilMs: clock.ms + 1_000 }))
  node.baseFee = 30n * GWEI
  await next()
  await next()
  t.is(parseTransaction(signed.at(-1) as Hex).maxFeePerGas, 9n * GWEI, 'times 21,000 gas: what 63,000 cost at 3 gwei')
  t.is((await sender.get('a'))?.state, 'broadcast')
  clock.ms += 300_000
  await next()
  await next()
  await next(3)
  await next()
  t.is((await sender.get('a'))?.state, 'replaced')
  t.deepEqual(
    node.answers.filter((answer) => answer.includes('underpriced')),
    [],
  )
})

test('what comes back to the pool after a reorganization is mined once', async (t) => {
  const { node, next, sender } = await start(t)
  const keys = ['a', 'b', 'c']
  for (const key of keys) await sender.send(requestOf(key))
  await next()
  node.reorganize(1)
  await next()
  await next(3)
  await next()
  for (const key of keys) t.is((await sender.get(key))?.state, 'final')
  t.true(node.answers.every((answer) => /^ok$|already known|nonce too low/.test(answer)))
})

test('a pool that forgets is reminded with the same bytes', async (t) => {
  const { node, next, sender } = await start(t)
  const sent = await sender.send(requestOf('a'))
  node.forgetPool()
  await next()
  await next(3)
  await next()
  t.is((await sender.get('a'))?.inclusion?.hash, sent.hashes[0])
  t.is((await sender.get('a'))?.state, 'final')
})

test('a relayer with a delegation gets one through at a time and loses none', async (t) => {
  const { node, next, sender } = await start(t)
  node.delegated.add(relayer)
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const key of keys) await sender.send(requestOf(key))
  t.true(node.answers.some((answer) => answer.includes('in-flight transaction limit')))
  for (let round = 0; round < 60; round++) await next()
  t.deepEqual(
    await Promise.all(keys.map(async (key) => (await sender.get(key))?.state)),
    keys.map(() => 'final'),
  )
})

test('on a chain that stands still the lowest nonce is sent anew, because nothing else may make it go on', async (t) => {
  const { node, clock, sender } = await start(t)
  const { hashes } = await sender.send(requestOf('a'))
  await sender.send(requestOf('b'))
  node.stranded.add(hashes[0] as string)
  node.mine()
  await sender.look()
  const attempts = async (key: string) => (await sender.get(key))?.hashes.length
  for (const ms of [10_000, 4_000]) {
    clock.ms += ms
    await sender.look()
    t.is(await attempts('a'), 1)
  }
  clock.ms += 2_000
  await sender.look()
  t.is(await attempts('a'), 2)
  for (let round = 0; round < 40; round++) {
    clock.ms += 4_000
    await sender.look()
  }
  t.is(await attempts('a'), 4)
  t.is(await attempts('b'), 1)
  node.mine(4)
  await sender.look()
  await sender.look()
  t.is((await sender.get('a'))?.state, 'final')
  t.is((await sender.get('b'))?.state, 'final')
})

test('looks that are far apart do not keep a chain that stands still from being offered more', async (t) => {
  const { node, clock, sender } = await start(t)
  const { hashes } = await sender.send(requestOf('a'))
  node.stranded.add(hashes[0] as string)
  node.mine()
  await sender.look()
  const attempts: (number | undefined)[] = []
  for (let round = 0; round < 3; round++) {
    clock.ms += 12_000
    await sender.look()
    attempts.push((await sender.get('a'))?.hashes.length)
  }
  t.deepEqual(attempts, [1, 2, 2])
})

test('an account that shuts its own authorization out keeps the nonces after it for half a minute, not to its deadline', async (t) => {
  const { node, next, sender } = await start(t)
  const authority = relayerAccount('somebody')
  const authorization = await authority.signAuthorization({ address: authority.address, chainId: 84_532, nonce: 0 })
  node.isAuthorityReserved = true
  t.is((await sender.send(requestOf('shut out', { authorizationList: [authorization] }))).state, 'signed')
  await sender.send(requestOf('after it'))
  for (let round = 0; round < 8; round++) await next()
  t.is((await sender.get('after it'))?.state, 'final')
  t.is((await sender.get('shut out'))?.state, 'replaced')
})

test('a bump that the signer refuses does not keep a cancel from being made', async (t) => {
  const refused: Signed = { status: 'refused', code: 'REQUEST_NOT_AUTHORIZED' }
  const { keys, signed } = signerDouble((unsigned) => {
    const { to, maxFeePerGas = 0n } = parseTransaction(unsigned)
    return to?.toLowerCase() !== relayer && maxFeePerGas > 4n * GWEI ? refused : undefined
  })
  const { node, clock, next, sender } = await start(t, { keys })
  await sender.send(requestOf('a', { validUntilMs: clock.ms + 60_000 }))
  node.baseFee = 8n * GWEI
  for (let round = 0; round < 10; round++) await next()
  t.is(parseTransaction(signed.at(-1) as Hex).to?.toLowerCase(), relayer)
  t.is((await sender.get('a'))?.state, 'replaced')
})

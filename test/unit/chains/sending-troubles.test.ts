/** What the sending engine does when things go wrong, on a real chain: refusals, gaps, fees, cancels, reorganizations. */
import test, { type ExecutionContext } from 'ava'
import { numberToHex, parseGwei, parseTransaction, type Hex } from 'viem'
import { lanesSpec } from '../../../gateway/chains/sending/documents.ts'
import type { SendRecord } from '../../../gateway/chains/sender.ts'
import type { Signed } from '../../../gateway/chains/sending/signing.ts'
import { localChain, type LocalChain } from '../../support/local-chain.ts'
import {
  GWEI,
  openRig,
  relayerAccount,
  requestOf,
  signerDouble,
  type Rig,
  type RigOptions,
} from '../../support/sending.ts'

const relayer = relayerAccount('one').address
const refused: Signed = { status: 'refused', code: 'REQUEST_NOT_AUTHORIZED' }

/** A chain that mines when it is told to, and an engine that looks when it is told to. */
async function start(t: ExecutionContext, options: Partial<RigOptions> = {}) {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  await chain.client.setBalance({ address: relayer, value: 10n ** 20n })
  const rig = await openRig({ rpcUrls: [chain.rpcUrl], ...options })
  t.teardown(() => rig.dispose())
  return { ...rig, chain }
}

const request = (chain: LocalChain, method: string, params: unknown[]) =>
  chain.client.request({ method, params } as never)

/** Mines and looks until nothing is under way. */
async function settle({ chain, sender }: { chain: LocalChain; sender: Rig['sender'] }, rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await chain.client.mine({ blocks: 1 })
    await sender.look()
  }
}

async function stateOf(sender: Rig['sender'], key: string): Promise<SendRecord> {
  return (await sender.get(key)) as SendRecord
}

test.serial('what the signer refuses gives its nonce back, and the next one has it', async (t) => {
  const { keys } = signerDouble((unsigned) => (parseTransaction(unsigned).data === '0x6261' ? refused : undefined))
  const { chain, sender } = await start(t, { keys })
  t.like(await sender.send(requestOf('ba')), { state: 'failed', failure: 'send_refused', hashes: [] })
  t.is((await sender.send(requestOf('next'))).nonce, 0)
  await settle({ chain, sender })
  t.is((await stateOf(sender, 'next')).state, 'final')
})

test.serial('a gap that nobody takes is filled, so that those above it are mined', async (t) => {
  let decide: (() => void) | undefined
  const pause = new Promise<void>((resolve) => (decide = resolve))
  const double = signerDouble()
  const sign: typeof double.keys.sign = async (from, unsigned, timestampMs) => {
    if (parseTransaction(unsigned).data !== '0x6261') return double.keys.sign(from, unsigned, timestampMs)
    await pause
    return refused
  }
  const { chain, sender, store } = await start(t, { keys: { ...double.keys, sign } })
  await sender.look()
  const low = sender.send(requestOf('ba'))
  // The lower nonce is taken before the higher one asks.
  while ((await sender.get('ba'))?.nonce !== 0) await new Promise(setImmediate)
  t.is((await sender.send(requestOf('high'))).nonce, 1)
  decide?.()
  t.is((await low).state, 'failed')
  await settle({ chain, sender })
  t.is((await stateOf(sender, 'high')).state, 'final')
  await settle({ chain, sender })
  const { items } = await store.collection(lanesSpec).find({ where: {}, sort: '_id', limit: 1 })
  t.like(items[0], { floor: 2, slots: [] })
})

test.serial('a base fee above the offer is followed up to the ceiling and no further', async (t) => {
  let nowMs = Date.now()
  const { chain, sender } = await start(t, { nowMs: () => nowMs })
  const ceiling = 20n * GWEI
  await sender.send(requestOf('a', { feeCeiling: ceiling }))
  for (const gwei of ['4', '12', '40']) {
    await request(chain, 'anvil_setNextBlockBaseFeePerGas', [numberToHex(parseGwei(gwei))])
    await chain.client.mine({ blocks: 1 })
    await sender.look()
  }
  const { hashes } = await stateOf(sender, 'a')
  t.true(hashes.length > 1, 'more was offered')
  const raws = await Promise.all(hashes.map((hash) => chain.client.getTransaction({ hash }).catch(() => undefined)))
  t.true(raws.every((each) => each === undefined || (each.maxFeePerGas ?? 0n) <= ceiling))
  await request(chain, 'anvil_setNextBlockBaseFeePerGas', [numberToHex(GWEI)])
  // Anvil throws out what offers too little, and takes it again when it is sent again.
  nowMs += 60_000
  await settle({ chain, sender })
  t.is((await stateOf(sender, 'a')).state, 'final')
  t.is(await chain.client.getTransactionCount({ address: relayer }), 1)
})

test.serial('what is not mined in time is cancelled, and its nonce used up', async (t) => {
  let nowMs = Date.now()
  const { chain, sender } = await start(t, { nowMs: () => nowMs })
  await sender.send(requestOf('a', { validUntilMs: nowMs + 1_000 }))
  await request(chain, 'anvil_dropAllTransactions', [])
  nowMs += 1_001
  await sender.look()
  await settle({ chain, sender })
  const record = await stateOf(sender, 'a')
  t.is(record.state, 'replaced')
  t.is(record.inclusion, undefined)
  const block = await chain.client.getBlock({ blockNumber: 1n, includeTransactions: true })
  t.like(block.transactions[0], { to: relayer.toLowerCase() as Hex, value: 0n, nonce: 0 })
  t.true((record.cancelCost ?? 0n) > 0n)
})

test.serial('after its time nothing is signed any more', async (t) => {
  const { keys, signed } = signerDouble()
  const { sender } = await start(t, { keys })
  const record = await sender.send(requestOf('a', { validUntilMs: Date.now() - 1 }))
  t.like(record, { state: 'failed', failure: 'send_expired' })
  t.deepEqual(signed, [])
})

test.serial('what its owner withdraws is not signed', async (t) => {
  const { keys, signed } = signerDouble()
  const { sender } = await start(t, { keys, sender: { mayStillSend: async (key) => key !== 'a' } })
  t.like(await sender.send(requestOf('a')), { state: 'failed', failure: 'send_withdrawn' })
  t.deepEqual(signed, [])
  t.is((await sender.send(requestOf('b'))).nonce, 0)
})

test.serial('bytes that the node has lost are sent again, the same ones', async (t) => {
  let nowMs = Date.now()
  const { keys, signed } = signerDouble()
  const { chain, sender } = await start(t, { keys, nowMs: () => nowMs })
  const sent = await sender.send(requestOf('a'))
  await request(chain, 'anvil_dropAllTransactions', [])
  nowMs += 60_000
  await sender.look()
  await settle({ chain, sender })
  const record = await stateOf(sender, 'a')
  t.is(record.state, 'final')
  t.is(record.inclusion?.hash, sent.hashes[0])
  t.is(signed.length, 1)
})

test.serial('a reorganization takes the inclusion away, and the bytes are mined again', async (t) => {
  const changes: string[] = []
  const onChange = async ({ state }: SendRecord): Promise<void> => void changes.push(state)
  const { chain, sender } = await start(t, { sender: { onChange } })
  const sent = await sender.send(requestOf('a'))
  await settle({ chain, sender }, 1)
  const first = (await stateOf(sender, 'a')).inclusion
  await request(chain, 'anvil_reorg', [1, []])
  await sender.look()
  t.is((await stateOf(sender, 'a')).state, 'broadcast')
  t.is((await stateOf(sender, 'a')).inclusion, undefined)
  await settle({ chain, sender })
  const record = await stateOf(sender, 'a')
  t.is(record.state, 'final')
  t.is(record.inclusion?.hash, sent.hashes[0])
  t.not(record.inclusion?.blockHash, first?.blockHash)
  t.deepEqual(changes.slice(-4), ['included', 'broadcast', 'included', 'final'])
})

test.serial('what was final and left behind is looked after again when the chain forgets it', async (t) => {
  const { chain, sender } = await start(t)
  const keys = ['a', 'b', 'c']
  for (const key of keys) await sender.send(requestOf(key))
  await settle({ chain, sender }, 8)
  t.is((await stateOf(sender, 'c')).state, 'final')
  await request(chain, 'anvil_rollback', [8])
  t.is(await chain.client.getTransactionCount({ address: relayer }), 0)
  await chain.client.mine({ blocks: 1 })
  await sender.look()
  await chain.client.mine({ blocks: 9 })
  await sender.look()
  await settle({ chain, sender })
  for (const key of keys) t.is((await stateOf(sender, key)).state, 'final')
  t.is(await chain.client.getTransactionCount({ address: relayer }), 3)
})

test.serial(
  'a nonce that somebody else has used ends as replaced, and a key used by others gets no more sends',
  async (t) => {
    const { chain, sender } = await start(t)
    await sender.send(requestOf('a'))
    await request(chain, 'anvil_dropAllTransactions', [])
    await request(chain, 'anvil_setNonce', [relayer, '0x1'])
    await settle({ chain, sender })
    t.is((await stateOf(sender, 'a')).state, 'replaced')
    await request(chain, 'anvil_setNonce', [relayer, '0x9'])
    await chain.client.mine({ blocks: 1 })
    await sender.look()
    const error = await t.throwsAsync(sender.send(requestOf('b')), { name: 'SenderUnavailableError' })
    t.is(error?.message, 'no_lane')
  },
)

test.serial('without keys or without money nothing is stored', async (t) => {
  const keys = { ...signerDouble().keys, addresses: async () => [] }
  const none = await start(t, { keys })
  await t.throwsAsync(none.sender.send(requestOf('a')), { message: 'relayer_not_configured' })
  t.is(await none.sender.get('a'), undefined)
  const { chain, sender } = await start(t)
  await chain.client.setBalance({ address: relayer, value: 1n })
  await t.throwsAsync(sender.send(requestOf('a')), { message: 'no_lane' })
  t.is(await sender.get('a'), undefined)
})

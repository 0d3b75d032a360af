/** Nodes forget the state of a block long before some chains call it final: every row ends all the same. */
import test, { type ExecutionContext } from 'ava'
import { keccak256, toHex, type Address, type Hex } from 'viem'
import type { Inclusion } from '../../gateway/plugin-api.ts'
import { batchDelegate } from '../../plugins/gas-relay/delegates/batch-delegate.ts'
import { designatorOf } from '../../plugins/gas-relay/delegates/designator.ts'
import { tkGasDelegate } from '../../plugins/gas-relay/delegates/tk-gas-delegate.ts'
import { RelayError } from '../../plugins/gas-relay/reasons.ts'
import { readEvidence, type EvidenceReads } from '../../plugins/gas-relay/transactions/evidence.ts'
import type { TransactionDocument } from '../../plugins/gas-relay/transactions/transaction.ts'
import { until } from '../support/processes.ts'
import { signBatch, startDelegationChain, transfer, type DelegationChain } from '../support/relay/delegation.ts'
import { openRelayRig } from '../support/relay/relay-rig.ts'
import { submissionOf } from '../support/relay/submissions.ts'
import { startRpcProxy } from '../support/rpc-proxy.ts'
import { relayerAccount } from '../support/sending.ts'

const PAYEE: Address = '0x00000000000000000000000000000000000000bb'
const DELEGATE: Address = '0x00000000000000000000000000000000000000de'
const BLOCK = 1_000n
const BLOCK_HASH = keccak256(toHex('block'))
let chain: DelegationChain

test.before(async () => {
  chain = await startDelegationChain()
  await chain.client.setBalance({ address: relayerAccount('one').address, value: 10n ** 21n })
})
test.after.always(() => chain.stop())

/** A relay over one node that forgets when it is told to. */
async function forgetful(t: ExecutionContext, finalityDepth: number) {
  const node = { forgets: false }
  const proxy = await startRpcProxy(chain.rpcUrl, () => (node.forgets ? 'pruned' : undefined))
  t.teardown(() => proxy.close())
  const options = {
    rpcUrls: [proxy.url],
    relayerKeys: ['one'],
    contracts: { delegate: chain.delegate, guard: chain.guard },
    chain: { pollMs: 3_600_000, finalityDepth },
  }
  const account = await chain.newAccount(1_000n)
  const signed = async (nonce: bigint) => {
    const batch = await signBatch(account, [transfer(chain.token, PAYEE, 1n)], { nonce })
    return submissionOf(account.address, batch, nonce === 0n ? await chain.authorize(account) : undefined)
  }
  return { node, options, signed }
}

/** One look, and what it has led to. */
async function looked(rig: Awaited<ReturnType<typeof openRelayRig>>, id: string): Promise<TransactionDocument> {
  await rig.look()
  const record = await rig.sender().get(id)
  if (record !== undefined) await rig.carrier.onChange(record).catch(() => undefined)
  return (await rig.transactions.get(id)) as TransactionDocument
}

test.serial(
  'the evidence is read while the block is fresh, and ends the row when the node has forgotten it',
  async (t) => {
    const { node, options, signed } = await forgetful(t, 20)
    const rig = await openRelayRig(options)
    t.teardown(() => rig.dispose())
    const { _id: id } = await rig.send('fresh', await signed(0n))
    await chain.client.mine({ blocks: 1 })
    const included = await looked(rig, id)
    t.like(included, { phase: 'broadcasted', evidence: { isDelegated: true } })
    node.forgets = true
    await chain.client.mine({ blocks: 25 })
    const end = await looked(rig, id)
    t.is(end.phase, 'confirmed')
    t.is(end.evidence?.blockHash, end.closing?.gas?.blockHash)
    t.like(await rig.tank(), { debited: end.closing?.cost, reserved: '0' })
  },
)

test.serial(
  'a gateway that comes back after the node has forgotten: confirmed, paid, and the account is free',
  async (t) => {
    const { node, options, signed } = await forgetful(t, 2)
    const before = await openRelayRig(options)
    await chain.client.setAutomine(false)
    const { _id: id } = await before.send('late', await signed(0n))
    await before.close()
    await chain.client.mine({ blocks: 100 })
    await chain.client.setAutomine(true)
    node.forgets = true
    const rig = await openRelayRig({ ...options, folder: before.folder })
    t.teardown(() => rig.dispose())
    // It may only have been slow to answer.
    t.is((await looked(rig, id)).phase, 'broadcasted')
    await chain.client.mine({ blocks: 30 })
    // The head that the relay asks for is half a second old at most.
    await until('the end', async () => (await looked(rig, id)).phase === 'confirmed')
    const end = (await rig.transactions.get(id)) as TransactionDocument
    t.like(await rig.tank(), { debited: end.closing?.cost, reserved: '0', reservations: {} })
    t.is((await rig.send('next', await signed(1n))).phase, 'broadcasted')
  },
)

const document = { from: PAYEE, delegate: DELEGATE, batchNonce: '7' } as TransactionDocument
const inclusion = { blockHash: BLOCK_HASH, blockNumber: BLOCK } as Inclusion

/** A node that has no state but the newest. */
function prunedAt(head: bigint, code: Hex, nonce: bigint): EvidenceReads {
  const said =
    <T>(answer: T) =>
    async (...asked: readonly unknown[]) => {
      if (asked.includes(BLOCK_HASH)) throw new RelayError('relay_chain_unavailable')
      return answer
    }
  return { account: { code: said(code), view: said(toHex(nonce, { size: 32 })) }, head: { height: async () => head } }
}

test('forgotten: an event needs no state behind the guard; a nonce is what the account says now', async (t) => {
  const isThere = designatorOf(DELEGATE)
  const old = BLOCK + 129n
  const read = (adapter: typeof batchDelegate, reads: EvidenceReads) =>
    readEvidence(document, adapter, inclusion, reads)
  for (const adapter of [batchDelegate, tkGasDelegate]) {
    await t.throwsAsync(read(adapter, prunedAt(BLOCK + 128n, isThere, 8n)), { instanceOf: RelayError })
  }
  const blockHash = BLOCK_HASH
  t.deepEqual(await read(batchDelegate, prunedAt(old, '0x', 0n)), { blockHash, isDelegated: true })
  t.deepEqual(await read(tkGasDelegate, prunedAt(old, isThere, 8n)), { blockHash, isDelegated: true, nextNonce: '8' })
  t.deepEqual(await read(tkGasDelegate, prunedAt(old, '0x', 8n)), { blockHash, isDelegated: false })
})

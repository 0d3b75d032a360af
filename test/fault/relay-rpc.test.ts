/**
 * The relay behind two endpoints of which one loses, delays, refuses, lies and lags: no row is at an end that the chain
 * does not show, the tank is never debited anything else, and in the end each row is confirmed once.
 */
import test, { type ExecutionContext } from 'ava'
import type { PrivateKeyAccount } from 'viem'
import { isOver, type TransactionDocument } from '../../plugins/gas-relay/transactions/transaction.ts'
import { signBatch, startDelegationChain, transfer, type DelegationChain } from '../support/relay/delegation.ts'
import { openRelayRig, type RelayRig } from '../support/relay/relay-rig.ts'
import { submissionOf } from '../support/relay/submissions.ts'
import { startRpcProxy, type RpcFault } from '../support/rpc-proxy.ts'
import { fuzzCount, SeededRandom, seedOfRun } from '../support/seeded-random.ts'
import { relayerAccount } from '../support/sending.ts'

const PAYEE = '0x00000000000000000000000000000000000000bb'
const FAULTS: readonly RpcFault[] = [
  'lost',
  'refused',
  'overloaded',
  'delayed',
  'garbage',
  'null',
  'stale',
  'lying',
  'cheaper',
  'wrong-chain',
]

let chain: DelegationChain
test.before(async () => {
  chain = await startDelegationChain()
  await chain.client.setBalance({ address: relayerAccount('one').address, value: 10n ** 21n })
})
test.after.always(() => chain.stop())

async function parametersOf(account: PrivateKeyAccount) {
  const batch = await signBatch(account, [transfer(chain.token, PAYEE, 1n)])
  return submissionOf(account.address, batch, await chain.authorize(account))
}

/** What has ended has ended so on the chain, and the tank was debited just that. */
async function assertTrue(t: ExecutionContext, rig: RelayRig, ids: readonly string[]): Promise<TransactionDocument[]> {
  const tankBefore = await rig.tank()
  const rows = (await Promise.all(ids.map((id) => rig.transactions.get(id)))).filter((row) => row !== undefined)
  let paid = 0n
  for (const { _id: id, phase, closing } of rows.filter(isOver)) {
    t.is(phase, 'confirmed', id)
    if (closing?.gas === undefined) return t.fail(`${id} has no gas`)
    const receipt = await chain.client.getTransactionReceipt({ hash: closing.gas.hash })
    t.like(closing.gas, { blockHash: receipt.blockHash, gasUsed: String(receipt.gasUsed) }, id)
    t.is(closing.cost, String(receipt.gasUsed * receipt.effectiveGasPrice), id)
    paid += BigInt(closing.cost)
  }
  // The tank is told before the row is closed.
  t.true(BigInt(tankBefore.debited) <= paid || rows.some((row) => !isOver(row)))
  return rows
}

test('whatever one of two endpoints says: no end that is none, and each is paid once', async (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  let isBad = false
  const faultOf = () => (isBad && random.below(2) === 0 ? random.pick(FAULTS) : undefined)
  const bad = await startRpcProxy(chain.rpcUrl, faultOf)
  t.teardown(() => bad.close())
  let skewMs = 0
  const rig = await openRelayRig({
    rpcUrls: [bad.url, chain.rpcUrl],
    relayerKeys: ['one'],
    contracts: { delegate: chain.delegate, guard: chain.guard },
    chain: { finalityDepth: 2, pollMs: 3_600_000, inFlightMax: 64 },
    nowMs: () => Date.now() + skewMs,
  })
  t.teardown(() => rig.dispose())
  // An endpoint of another chain refuses to start.
  isBad = true
  const ids: string[] = []
  const accounts: PrivateKeyAccount[] = []
  for (let round = 0; round < fuzzCount(15); round++) {
    for (let i = random.below(3); i > 0; i--) {
      const account = await chain.newAccount(1_000n)
      // A refusal because the chain cannot be seen has stored nothing.
      const row = await rig.send(`${round}/${i}`, await parametersOf(account)).catch(() => undefined)
      if (row === undefined) continue
      ids.push(row._id)
      accounts.push(account)
    }
    await chain.client.mine({ blocks: 1 + random.below(3) })
    skewMs += 11_000
    await rig.look()
    await assertTrue(t, rig, ids)
  }
  isBad = false
  for (;;) {
    await chain.client.mine({ blocks: 1 })
    skewMs += 11_000
    await rig.look()
    const rows = await assertTrue(t, rig, ids)
    if (rows.length === ids.length && rows.every(isOver)) break
  }
  t.log(`${ids.length} transactions, ${bad.faults()} bad answers`)
  t.true(ids.length > 0 && bad.faults() > 20)
  const rows = await assertTrue(t, rig, ids)
  const paid = rows.reduce((sum, { closing }) => sum + BigInt(closing?.cost ?? 0), 0n)
  t.like(await rig.tank(), { debited: String(paid), reserved: '0', reservations: {} })
  for (const { address } of accounts) t.is(await chain.balance(address), 999n)
  t.is(await chain.client.getTransactionCount({ address: relayerAccount('one').address }), ids.length)
})

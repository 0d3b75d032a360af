/** What Prometheus is told of lanes and tanks, on a chain that mines when it is told to. */
import test, { type ExecutionContext } from 'ava'
import type { Registry } from 'prom-client'
import { parseTransaction, toHex } from 'viem'
import { localChain, type LocalChain } from '../support/local-chain.ts'
import { startDelegationChain } from '../support/relay/delegation.ts'
import { ORGANIZATION, openRelayRig, TANK_WEI } from '../support/relay/relay-rig.ts'
import { GWEI, openRig, relayerAccount, requestOf, signerDouble } from '../support/sending.ts'

const relayer = relayerAccount('one').address

async function start(t: ExecutionContext): Promise<LocalChain> {
  const chain = await localChain(t, { flags: ['--no-mining'] })
  await chain.client.setBalance({ address: relayer, value: 10n ** 21n })
  return chain
}

/** The value of the one line that begins so. */
async function valueOf(registry: Registry, line: string): Promise<number | undefined> {
  const found = (await registry.metrics()).split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

test('in flight, blocks until inclusion, attempts', async (t) => {
  const chain = await start(t)
  const rig = await openRig({ rpcUrls: [chain.rpcUrl] })
  t.teardown(() => rig.dispose())
  const lane = `{sender="test",relayer="${relayer}"}`
  await rig.sender.send(requestOf('a'))
  await rig.sender.look()
  t.is(await valueOf(rig.metrics, `keystead_chain_in_flight${lane}`), 1)
  t.is(await valueOf(rig.metrics, `keystead_chain_relayer_balance_wei${lane}`), 1e21)
  t.is(await valueOf(rig.metrics, 'keystead_chain_attempts_total{sender="test",kind="original"}'), 1)
  // Two blocks that have no room for it: the base fee has overtaken its offer.
  for (const fee of [40n * GWEI, 40n * GWEI]) {
    await chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: fee })
    await chain.client.mine({ blocks: 1 })
  }
  await rig.sender.look()
  t.is(await valueOf(rig.metrics, 'keystead_chain_attempts_total{sender="test",kind="bump"}'), 1)
  for (let i = 0; i < 3; i++) {
    await chain.client.mine({ blocks: 1 })
    await rig.sender.look()
  }
  t.is((await rig.sender.get('a'))?.state, 'final')
  t.is(await valueOf(rig.metrics, `keystead_chain_in_flight${lane}`), 0)
  t.is(await valueOf(rig.metrics, 'keystead_chain_inclusion_blocks_count{sender="test"}'), 1)
  t.is(await valueOf(rig.metrics, 'keystead_chain_inclusion_blocks_sum{sender="test"}'), 3)
})

test('a nonce that was given back below another one is a gap until it is filled', async (t) => {
  const chain = await start(t)
  let nowMs = Date.now()
  let isGone = false
  // Has its nonce; the signer says no when the next one is signed already.
  const { keys } = signerDouble((unsigned) => {
    if (parseTransaction(unsigned).data !== toHex('late')) return undefined
    return isGone ? { status: 'refused', code: 'REQUEST_NOT_AUTHORIZED' } : { status: 'later' }
  })
  const rig = await openRig({ rpcUrls: [chain.rpcUrl], nowMs: () => nowMs, keys })
  t.teardown(() => rig.dispose())
  const gaps = `keystead_chain_nonce_gaps{sender="test",relayer="${relayer}"}`
  await rig.sender.send(requestOf('late', { validUntilMs: nowMs + 3_600_000 }))
  await rig.sender.send(requestOf('next', { validUntilMs: nowMs + 3_600_000 }))
  await rig.sender.look()
  t.is(await valueOf(rig.metrics, gaps), 0)
  nowMs += 2_000
  isGone = true
  await rig.sender.look()
  t.is((await rig.sender.get('late'))?.failure, 'send_refused')
  await rig.sender.look()
  t.is(await valueOf(rig.metrics, gaps), 1)
  for (let i = 0; i < 4; i++) {
    await rig.sender.look()
    await chain.client.mine({ blocks: 1 })
  }
  await rig.sender.look()
  t.is(await valueOf(rig.metrics, gaps), 0)
  t.is(await chain.client.getTransactionCount({ address: relayer }), 2)
})

test('tanks, by organization', async (t) => {
  const chain = await startDelegationChain()
  t.teardown(() => chain.stop())
  const contracts = { delegate: chain.delegate, guard: chain.guard }
  const rig = await openRelayRig({ rpcUrls: [chain.rpcUrl], relayerKeys: ['one'], contracts })
  t.teardown(() => rig.dispose())
  const tank = (amount: string) =>
    `keystead_gas_relay_tank_wei{organization="${ORGANIZATION}",network="eip155:84532",amount="${amount}"}`
  t.is(await valueOf(rig.metrics, tank('balance')), Number(TANK_WEI))
  t.is(await valueOf(rig.metrics, tank('reserved')), 0)
  t.is(await valueOf(rig.metrics, tank('debited')), 0)
})

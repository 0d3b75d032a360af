/** Two endpoints, the first of which says what is not so: whatever else happens, nothing ends upon its word alone. */
import test, { type ExecutionContext } from 'ava'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keccak256, numberToHex, type Hex } from 'viem'
import { startBentRpc, type Bend } from '../../support/bent-rpc.ts'
import { StrictNode } from '../../support/strict-node.ts'
import { GWEI, openRig, relayerAccount, requestOf } from '../../support/sending.ts'

const relayer = relayerAccount('one').address.toLowerCase()

async function start(t: ExecutionContext, bend: Bend, place: 'first' | 'last' = 'first') {
  const node = new StrictNode()
  node.balances.set(relayer, 10n ** 21n)
  const honest = await node.listen()
  const liar = await startBentRpc(honest.url, bend)
  const clock = { ms: Date.now() }
  const urls = [liar.url, honest.url]
  const rpcUrls = place === 'first' ? urls : urls.toReversed()
  const rig = await openRig({ rpcUrls, nowMs: () => clock.ms })
  t.teardown(async () => {
    await rig.dispose()
    await liar.close()
    await honest.close()
  })
  const next = async () => {
    node.mine()
    clock.ms += 11_000
    await rig.sender.look()
  }
  return { node, next, ...rig }
}

test('one that counts a transaction too many: what waits is not given up', async (t) => {
  let isLying = true
  const { node, next, sender } = await start(t, ({ method }, result) =>
    isLying && method === 'eth_getTransactionCount' ? numberToHex(BigInt(result as Hex) + 1n) : result,
  )
  isLying = false
  await sender.send(requestOf('a', { feeCeiling: 5n * GWEI }))
  node.baseFee = 50n * GWEI
  isLying = true
  for (let round = 0; round < 8; round++) await next()
  t.is((await sender.get('a'))?.state, 'broadcast')
  isLying = false
  node.baseFee = GWEI
  for (let round = 0; round < 6; round++) await next()
  t.is((await sender.get('a'))?.state, 'final')
})

test('one whose head is far ahead: nothing is final before its depth', async (t) => {
  const { next, sender } = await start(t, ({ method, params }, result) => {
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return result
    const { number, hash, ...rest } = result as { number: Hex; hash: Hex }
    return { ...rest, number: numberToHex(BigInt(number) + 100n), hash: keccak256(hash) }
  })
  await sender.send(requestOf('a'))
  const states: (string | undefined)[] = []
  for (let round = 0; round < 4; round++) {
    await next()
    states.push((await sender.get('a'))?.state)
  }
  t.deepEqual(states, ['included', 'included', 'final', 'final'])
})

for (const number of ['0x', `0x${'f'.repeat(64)}`, null, 7]) {
  test(`one whose heights are no heights (${String(number)}): what waits is followed, and nothing is final`, async (t) => {
    let isBroken = false
    const { next, sender } = await start(
      t,
      ({ method, params }, result) =>
        isBroken && method === 'eth_getBlockByNumber' && params[0] === 'latest'
          ? { ...(result as object), number }
          : result,
      'last',
    )
    await sender.send(requestOf('a'))
    isBroken = true
    for (let round = 0; round < 4; round++) await next()
    t.is((await sender.get('a'))?.state, 'included')
  })
}

test('one that hangs: neither a look nor a send waits until its time is over', async (t) => {
  const node = new StrictNode()
  node.balances.set(relayer, 10n ** 21n)
  const honest = await node.listen()
  let isHanging = false
  let givenUp = 0
  const other = createServer((request, response) => {
    if (isHanging) return void response.on('close', () => givenUp++)
    void (async () => {
      const body = Buffer.concat(await request.toArray())
      response.end(await (await fetch(honest.url, { method: 'POST', body })).text())
    })()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const rig = await openRig({ rpcUrls: [honest.url, url] })
  t.teardown(async () => {
    other.closeAllConnections()
    other.close()
    await rig.dispose()
    await honest.close()
  })
  await rig.sender.send(requestOf('a'))
  node.mine()
  isHanging = true
  await rig.sender.look()
  t.is((await rig.sender.get('a'))?.state, 'included')
  await rig.sender.send(requestOf('b'))
  t.is((await rig.sender.get('b'))?.state, 'broadcast')
  t.is(givenUp, 0, 'it is still waited for')
})

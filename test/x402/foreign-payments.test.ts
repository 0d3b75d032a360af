/** What a payer may sign and hand in beside what a seller asks for; none of it is a payment of that. */
import test, { type ExecutionContext } from 'ava'
import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { settlementsSpec } from '../../plugins/x402/settlements/settlement.ts'
import { until } from '../support/processes.ts'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { newNonce, readerOf, startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, body2, pay, PRICE, SELLER, type Payment } from '../support/x402/payments.ts'

const OTHER = '0x000000000000000000000000000000000000a77a'
const transfer = parseAbi([
  'function transferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,bytes signature)',
])
const several = parseAbi(['function run(address to, bytes[] calls)'])

let chain: PaymentChain
test.before(async () => {
  chain = await startPaymentChain()
})
test.after.always(() => chain.stop())

async function start(t: ExecutionContext, options: Parameters<typeof startFacilitator>[1] = {}): Promise<Facilitator> {
  const facilitator = await startFacilitator(chain, { settings: { settleWaitMs: '2000' }, ...options })
  t.teardown(() => facilitator.stop())
  return facilitator
}

function callOf({ authorization, signature }: Payment): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature] as const
  return encodeFunctionData({ abi: transfer, functionName: 'transferWithAuthorization', args })
}

async function phaseOf({ store }: Facilitator, { authorization: { from, nonce } }: Payment) {
  const key = `eip155:84532:${chain.token}:${from}:${nonce}`.toLowerCase()
  return (await store.collection(settlementsSpec).get(key))?.phase
}

for (const version of [1, 2] as const) {
  const bodyOf = version === 1 ? body1 : body2

  test.serial(`version ${version}: one nonce signed for two payees pays the one that was paid`, async (t) => {
    const facilitator = await start(t)
    const buyer = await chain.buyer()
    const nonce = newNonce()
    const toOther = await pay(chain, buyer, { to: OTHER, nonce })
    const toSeller = await pay(chain, buyer, { nonce })
    t.like((await facilitator.post('verify', bodyOf(chain, toSeller))).json, { isValid: true })
    t.like((await facilitator.post('settle', bodyOf(chain, toOther, { payTo: OTHER }))).json, { success: true })
    const before = await chain.balance(SELLER)
    const { json } = await facilitator.post('settle', bodyOf(chain, toSeller))
    t.like(json, { success: false, errorReason: 'invalid_exact_evm_authorization_used' })
    t.is(await chain.balance(SELLER), before)
  })

  test.serial(
    `version ${version}: the same while the first is under way, and when nobody was told of it`,
    async (t) => {
      const facilitator = await start(t, { settings: { settleWaitMs: '200' } })
      facilitator.sender.hold = true
      const buyer = await chain.buyer()
      const nonce = newNonce()
      const less = await pay(chain, buyer, { value: String(PRICE / 2n), nonce })
      const whole = await pay(chain, buyer, { nonce })
      const asked = { maxAmountRequired: String(PRICE / 2n) }
      t.like((await facilitator.post('settle', body1(chain, less, asked))).json, { success: false })
      t.like((await facilitator.post('settle', bodyOf(chain, whole))).json, { success: false })
      await facilitator.sender.release()
      await until('it is paid', async () => (await phaseOf(facilitator, whole)) === 'final')
      const { json } = await facilitator.post('settle', bodyOf(chain, whole))
      t.like(json, { success: false, errorReason: 'invalid_exact_evm_authorization_used' })
    },
  )
}

test.serial('one transfer beside many uses is one payment', async (t) => {
  const facilitator = await start(t, { settings: { settleWaitMs: '5000' } })
  const buyer = await chain.buyer()
  const contract = await chain.deploy('TestSeveral', [])
  const goods = await Promise.all(Array.from({ length: 3 }, () => pay(chain, buyer)))
  facilitator.sender.hold = true
  const before = await chain.balance(SELLER)
  const answers = goods.map((payment) => facilitator.post('settle', body1(chain, payment)))
  await until('all are sent', async () => {
    const phases = await Promise.all(goods.map((payment) => phaseOf(facilitator, payment)))
    return phases.every((phase) => phase === 'sending')
  })
  const voids = goods.map(({ authorization: { nonce } }) => pay(chain, buyer, { to: OTHER, value: '0', nonce }))
  const calls = [...(await Promise.all(voids)), await pay(chain, buyer)].map(callOf)
  const data = encodeFunctionData({ abi: several, functionName: 'run', args: [chain.token, calls] })
  const hash = await chain.client.sendTransaction({ to: contract, data, account: chain.owner, chain: null })
  t.is((await chain.client.waitForTransactionReceipt({ hash })).status, 'success')
  await facilitator.sender.release()
  for (const { json } of await Promise.all(answers)) t.false(json['success'], JSON.stringify(json))
  t.is((await chain.balance(SELLER)) - before, PRICE)
})

for (const laterMs of [0, 3_600_000]) {
  const when = laterMs === 0 ? '' : ', though its time is over by our clock'
  test.serial(`used in the pool of a node and in no block${when}: not failed before it is decided`, async (t) => {
    let aheadMs = 0
    const nowMs = () => Date.now() + aheadMs
    const facilitator = await start(t, { settings: { settleWaitMs: '300' }, nowMs })
    const payment = await pay(chain, await chain.buyer())
    facilitator.sender.hold = true
    const answer = facilitator.post('settle', body1(chain, payment))
    await until('it is sent', async () => (await phaseOf(facilitator, payment)) === 'sending')
    await chain.client.setAutomine(false)
    const front = { to: chain.token, data: callOf(payment), account: chain.owner, chain: null }
    await chain.client.sendTransaction(front)
    aheadMs = laterMs
    await facilitator.sender.release()
    t.like((await answer).json, { success: false, errorReason: 'x402_settlement_in_flight' })
    t.is(await phaseOf(facilitator, payment), 'sending')
    await chain.client.mine({ blocks: 1 })
    await chain.client.setAutomine(true)
    const { json } = await facilitator.post('settle', body1(chain, payment))
    t.like(json, { success: true })
  })
}

test.serial('a node that answers for few blocks at once still says how it ended', async (t) => {
  const real = readerOf(chain)
  const request: typeof real.request = async (asked) => {
    if (asked.method === 'eth_getLogs') {
      const [{ fromBlock, toBlock }] = asked.params as [{ fromBlock: Hex; toBlock: Hex }]
      if (BigInt(toBlock) - BigInt(fromBlock) >= 500n) throw new Error('the range is too large')
    }
    return real.request(asked as never)
  }
  const facilitator = await start(t, { client: { ...real, request }, settings: { settleWaitMs: '200' } })
  facilitator.sender.hold = true
  const payment = await pay(chain, await chain.buyer(), { validBefore: String(2n ** 40n) })
  await facilitator.post('settle', body1(chain, payment))
  const { items } = await facilitator.store
    .collection(settlementsSpec)
    .find({ where: { phase: 'sending' }, sort: 'updatedAtMs', limit: 1 })
  await chain.client.mine({ blocks: 1_200 })
  await facilitator.sender.end(items[0]?.sendKey as string, { state: 'replaced', hashes: [newNonce()], cancelCost: 1n })
  await until('it has ended', async () => (await phaseOf(facilitator, payment)) !== 'sending')
  t.is(await phaseOf(facilitator, payment), 'released')
})

test.serial('a node that tells of its height late: what has paid by then is not failed', async (t) => {
  const real = readerOf(chain)
  let behind = 0n
  const getBlockNumber = async () => (await real.getBlockNumber()) - behind
  const facilitator = await start(t, { client: { ...real, getBlockNumber }, settings: { settleWaitMs: '300' } })
  facilitator.sender.hold = true
  const payment = await pay(chain, await chain.buyer())
  const answer = facilitator.post('settle', body1(chain, payment))
  await until('it is sent', async () => (await phaseOf(facilitator, payment)) === 'sending')
  behind = 1n
  const front = { to: chain.token, data: callOf(payment), account: chain.owner, chain: null }
  const hash = await chain.client.sendTransaction(front)
  t.is((await chain.client.waitForTransactionReceipt({ hash })).status, 'success')
  await facilitator.sender.release()
  t.like((await answer).json, { success: false, errorReason: 'x402_settlement_in_flight' })
  behind = 0n
  t.like((await facilitator.post('settle', body1(chain, payment))).json, { success: true, transaction: hash })
})

/** Payers that are contracts and change their mind, fees that jump, and nodes that answer nonsense. */
import test, { type ExecutionContext } from 'ava'
import { parseAbi, type Address } from 'viem'
import { gasBooksSpec } from '../../plugins/x402/budget/gas-budget.ts'
import { settlementsSpec, type SettlementDocument } from '../../plugins/x402/settlements/settlement.ts'
import { until } from '../support/processes.ts'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { readerOf, startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, pay, PRICE } from '../support/x402/payments.ts'

const GWEI = 1_000_000_000n
const moods = ['willing', 'twoFaced', 'faulty', 'slow'] as const
const fickle = parseAbi(['function become(uint8 mood)'])

let chain: PaymentChain
test.before(async () => {
  chain = await startPaymentChain()
})
test.after.always(() => chain.stop())

async function start(t: ExecutionContext, options: Parameters<typeof startFacilitator>[1] = {}): Promise<Facilitator> {
  const facilitator = await startFacilitator(chain, options)
  t.teardown(() => facilitator.stop())
  return facilitator
}

async function newWallet(): Promise<Address> {
  const wallet = await chain.deploy('TestFickleWallet', [chain.token])
  await chain.mint(wallet, 10n * PRICE)
  return wallet
}

async function become(wallet: Address, mood: (typeof moods)[number]): Promise<void> {
  const args = [moods.indexOf(mood)] as const
  const asked = {
    address: wallet,
    abi: fickle,
    functionName: 'become',
    args,
    account: chain.owner,
    chain: null,
  } as const
  await chain.client.waitForTransactionReceipt({ hash: await chain.client.writeContract(asked) })
}

for (const mood of ['twoFaced', 'faulty'] as const) {
  test.serial(`a wallet that is ${mood} before it is signed for: the token's no is a no`, async (t) => {
    const facilitator = await start(t, { settings: { settleWaitMs: '5000' } })
    facilitator.sender.hold = true
    const wallet = await newWallet()
    const payment = await pay(chain, await chain.buyer(), { from: wallet })
    const answer = facilitator.post('settle', body1(chain, payment))
    const settlements = facilitator.store.collection(settlementsSpec)
    const query = { where: { phase: 'sending' }, sort: 'updatedAtMs', limit: 1 } as const
    await until('it is sent', async () => (await settlements.find(query)).items.length === 1)
    await become(wallet, mood)
    await facilitator.sender.release()
    t.like((await answer).json, { success: false })
    t.deepEqual((await settlements.find(query)).items, [])
    t.is(facilitator.sender.sent.length, 0)
  })
}

test.serial('what takes more gas than a settlement may is refused by verify as by settle', async (t) => {
  const facilitator = await start(t)
  t.like((await facilitator.post('verify', body1(chain, await pay(chain, await chain.buyer())))).json, {
    isValid: true,
  })
  const wallet = await newWallet()
  await become(wallet, 'slow')
  const body = body1(chain, await pay(chain, await chain.buyer(), { from: wallet }))
  const verified = await facilitator.post('verify', body)
  t.false(verified.json['isValid'])
  t.false((await facilitator.post('settle', body)).json['success'])
})

test.serial('a spike of the fees is over when it is over', async (t) => {
  const facilitator = await start(t)
  const buyer = await chain.buyer()
  const verified = async () => (await facilitator.post('verify', body1(chain, await pay(chain, buyer)))).json
  t.like(await verified(), { isValid: true })
  const calm = await facilitator.sender.quoteFees()
  const spike = { maxFeePerGas: 200n * GWEI, maxPriorityFeePerGas: 1n, feeCeiling: 200n * GWEI }
  facilitator.sender.quoteFees = () => Promise.resolve(spike)
  const settled = await facilitator.post('settle', body1(chain, await pay(chain, buyer)))
  t.like(settled.json, { success: false, errorReason: 'x402_daily_gas_cap_exceeded' })
  facilitator.sender.quoteFees = () => Promise.resolve(calm)
  t.like(await verified(), { isValid: true })
})

test.serial('a node that answers nonsense is one that does not answer', async (t) => {
  const real = readerOf(chain)
  for (const [route, method, result] of [
    ['settle', 'eth_estimateGas', 'abc'],
    ['settle', 'eth_estimateGas', null],
    ['settle', 'eth_estimateGas', '0x'],
    ['verify', 'eth_call', 7],
    ['verify', 'eth_call', null],
  ] as const) {
    let isBent = false
    const request: typeof real.request = (asked) =>
      isBent && asked.method === method ? (Promise.resolve(result) as never) : real.request(asked as never)
    const facilitator = await start(t, { client: { ...real, request } })
    const buyer = await chain.buyer()
    await facilitator.post('verify', body1(chain, await pay(chain, buyer)))
    isBent = true
    const { status, json } = await facilitator.post(route, body1(chain, await pay(chain, buyer)))
    t.is(status, 200, method)
    t.is(json['invalidReason'] ?? json['errorReason'], 'x402_gas_estimate_unavailable', `${route} ${method}`)
  }
})

test.serial('the cost of a try that nobody entered is entered before the next try', async (t) => {
  const facilitator = await start(t, { settings: { settleWaitMs: '500' } })
  const payment = await pay(chain, await chain.buyer())
  const { from, nonce } = payment.authorization
  const key = `eip155:84532:${chain.token}:${from}:${nonce}`.toLowerCase()
  facilitator.sender.hold = true
  const answer = facilitator.post('settle', body1(chain, payment))
  const settlements = facilitator.store.collection(settlementsSpec)
  await until('it is sent', async () => (await settlements.get(key))?.phase === 'sending')
  const sending = (await settlements.get(key)) as SettlementDocument
  const books = facilitator.store.collection(gasBooksSpec)
  const before = await books.get('eip155:84532')
  // As if the process had died between the two writes.
  await settlements.compareAndSet(sending, { ...sending, phase: 'released', cost: '4242' })
  t.deepEqual(Object.keys(before?.held ?? {}), [sending.sendKey])
  await answer
  facilitator.sender.hold = false
  t.like((await facilitator.post('settle', body1(chain, payment))).json, { success: true })
  const book = await books.get('eip155:84532')
  const spent = Object.values(book?.hours ?? {}).reduce((sum, cost) => sum + BigInt(cost), 0n)
  t.false(Object.hasOwn(book?.held ?? {}, sending.sendKey))
  t.true(spent >= 4242n)
  const { cost = '0' } = (await settlements.get(key)) as SettlementDocument
  t.is(spent, 4242n + BigInt(cost))
})

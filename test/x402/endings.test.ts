/** How a settlement may end after it was sent, and what its seller, its budget and its next try are told. */
import test, { type ExecutionContext } from 'ava'
import type { Inclusion } from '../../gateway/plugin-api.ts'
import { gasBooksSpec } from '../../plugins/x402/budget/gas-budget.ts'
import { settlementsSpec, type SettlementDocument } from '../../plugins/x402/settlements/settlement.ts'
import { until } from '../support/processes.ts'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, body2, pay, type Payment } from '../support/x402/payments.ts'

let chain: PaymentChain

test.before(async () => {
  chain = await startPaymentChain()
})
test.after.always(() => chain.stop())

async function begun(t: ExecutionContext): Promise<{ facilitator: Facilitator; payment: Payment; key: string }> {
  const facilitator = await startFacilitator(chain, { settings: { settleWaitMs: '150' } })
  t.teardown(() => facilitator.stop())
  facilitator.sender.hold = true
  const payment = await pay(chain, await chain.buyer())
  const { json } = await facilitator.post('settle', body1(chain, payment))
  t.like(json, { success: false, errorReason: 'x402_settlement_in_flight' })
  const { sendKey: key } = await stored(facilitator, payment)
  return { facilitator, payment, key }
}

async function stored({ store }: Facilitator, { authorization }: Payment): Promise<SettlementDocument> {
  const { from, nonce } = authorization
  const key = `eip155:84532:${chain.token}:${from}:${nonce}`.toLowerCase()
  const settlement = await store.collection(settlementsSpec).get(key)
  if (settlement === undefined) throw new Error('no settlement')
  return settlement
}

async function book({ store }: Facilitator) {
  const { held = {}, hours = {} } = (await store.collection(gasBooksSpec).get('eip155:84532')) ?? {}
  return { held: Object.keys(held).length, spent: Object.values(hours).reduce((sum, cost) => sum + BigInt(cost), 0n) }
}

const HASH = `0x${'a'.repeat(64)}` as const

function inclusion(status: Inclusion['status']): Inclusion {
  const block = { blockHash: `0x${'b'.repeat(64)}`, blockNumber: 1n } as const
  return { hash: HASH, ...block, status, gasUsed: 50_000n, effectiveGasPrice: 2n, l1Fee: 0n, cost: 100_000n, logs: [] }
}

test.serial('reverted: under way until that is final, then failed, charged, and free for another try', async (t) => {
  const { facilitator, payment, key } = await begun(t)
  await facilitator.sender.end(key, { state: 'included', hashes: [HASH], inclusion: inclusion('reverted') })
  t.like((await facilitator.post('settle', body1(chain, payment))).json, { errorReason: 'x402_settlement_in_flight' })
  await facilitator.sender.end(key, { state: 'final' })
  t.like(await stored(facilitator, payment), { phase: 'released', cost: '100000' })
  t.deepEqual(await book(facilitator), { held: 0, spent: 100_000n })
  facilitator.sender.hold = false
  await until('it is paid', async () => {
    const { json } = await facilitator.post('settle', body1(chain, payment))
    return json['success'] === true
  })
})

test.serial('a token that says yes and moves nothing has not paid', async (t) => {
  const { facilitator, payment, key } = await begun(t)
  await facilitator.sender.end(key, { state: 'included', hashes: [HASH], inclusion: inclusion('success') })
  t.like((await facilitator.post('settle', body1(chain, payment))).json, { errorReason: 'x402_settlement_in_flight' })
  await facilitator.sender.end(key, { state: 'final' })
  t.like(await stored(facilitator, payment), { phase: 'released' })
})

test.serial('cancelled by the engine: the cancel’s cost is booked', async (t) => {
  const { facilitator, payment, key } = await begun(t)
  await facilitator.sender.end(key, { state: 'replaced', hashes: [HASH], cancelCost: 42_000n })
  t.like(await stored(facilitator, payment), { phase: 'released', cost: '42000' })
  t.deepEqual(await book(facilitator), { held: 0, spent: 42_000n })
})

test.serial('the signer refuses: the operator’s fault, nothing spent', async (t) => {
  const { facilitator, payment, key } = await begun(t)
  await facilitator.sender.end(key, { state: 'failed', failure: 'send_refused' })
  t.like(await stored(facilitator, payment), { phase: 'released', refusal: { code: 'x402_relayer_not_configured' } })
  t.deepEqual(await book(facilitator), { held: 0, spent: 0n })
})

test.serial('reorganized away after success: followed back, and final in the end with the cost of then', async (t) => {
  const facilitator = await startFacilitator(chain)
  t.teardown(() => facilitator.stop())
  facilitator.sender.neverFinal = true
  const payment = await pay(chain, await chain.buyer())
  const { json } = await facilitator.post('settle', body1(chain, payment))
  t.like(json, { success: true })
  const { sendKey, transaction } = await stored(facilitator, payment)
  t.is(transaction, json['transaction'] as string)
  const record = await facilitator.sender.get(sendKey)
  t.is((await book(facilitator)).held, 1)

  await facilitator.sender.end(sendKey, { state: 'broadcast', inclusion: undefined })
  t.like(await stored(facilitator, payment), { phase: 'sending', reported: true })
  t.like((await facilitator.post('settle', body1(chain, payment))).json, { errorReason: 'x402_settlement_in_flight' })

  await facilitator.sender.end(sendKey, { state: 'included', inclusion: record?.inclusion })
  t.like(await stored(facilitator, payment), { phase: 'settled' })
  await facilitator.sender.end(sendKey, { state: 'final' })
  await until('it is final', async () => (await stored(facilitator, payment)).phase === 'final')
  t.deepEqual(await book(facilitator), { held: 0, spent: record?.inclusion?.cost ?? 0n })
  t.deepEqual((await facilitator.post('settle', body1(chain, payment))).json, { ...json, replayed: true })
})

test.serial('lanes are full: it waits, and is sent when there is room', async (t) => {
  const facilitator = await startFacilitator(chain)
  t.teardown(() => facilitator.stop())
  facilitator.sender.full = true
  const payment = await pay(chain, await chain.buyer())
  const answer = facilitator.post('settle', body1(chain, payment))
  await until('it is claimed', async () => (await book(facilitator)).held === 1)
  facilitator.sender.full = false
  t.like((await answer).json, { success: true })
})

test.serial('version 2: who was told of a pending transaction is told of its end, once', async (t) => {
  const { facilitator, payment } = await begun(t)
  await facilitator.sender.release()
  t.like((await facilitator.post('settle', body2(chain, payment))).json, { success: true })
  t.like((await facilitator.post('settle', body2(chain, payment))).json, { errorReason: 'duplicate_settlement' })
})

/** Many at once: one authorization is paid once, and the budget is never overdrawn. */
import test, { type ExecutionContext } from 'ava'
import type { SendRequest } from '../../gateway/plugin-api.ts'
import { gasBooksSpec } from '../../plugins/x402/budget/gas-budget.ts'
import { startFacilitator, type Facilitator, type FacilitatorOptions } from '../support/x402/facilitator.ts'
import { startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, handIn, pay, PRICE, SELLER } from '../support/x402/payments.ts'
import { until } from '../support/processes.ts'

let chain: PaymentChain

test.before(async () => {
  chain = await startPaymentChain()
})
test.after.always(() => chain.stop())

async function facilitatorOf(t: ExecutionContext, options: FacilitatorOptions = {}): Promise<Facilitator> {
  const facilitator = await startFacilitator(chain, options)
  t.teardown(() => facilitator.stop())
  return facilitator
}

const SETTLES = 1_000

test.serial('a thousand settles of one authorization: one transfer, one hash', async (t) => {
  const facilitator = await facilitatorOf(t)
  const buyer = await chain.buyer()
  const body = JSON.stringify(body1(chain, await pay(chain, buyer)))
  const answers = await Promise.all(Array.from({ length: SETTLES }, () => facilitator.post('settle', body)))
  t.is(facilitator.sender.sent.length, 1)
  t.is(await chain.balance(buyer.address), 100_000_000n - PRICE)
  const paid = answers.filter(({ json }) => json['success'] === true)
  const others = answers.filter(({ json }) => json['success'] !== true)
  t.true(others.every(({ json }) => json['errorReason'] === 'x402_settlement_in_flight'))
  t.is(new Set(paid.map(({ json }) => json['transaction'])).size, 1)
  // Only one of them was told of a payment; the others of a repeat.
  t.is(paid.filter(({ json }) => json['replayed'] === undefined).length, 1)
})

const AT_CAP = 200
const FIT = 7n
/** Default of the setting dataFeeMax. */
const DATA_FEE = 2_000_000_000_000n

test.serial('two hundred settles at the cap: not a wei more than allowed', async (t) => {
  const buyer = await chain.buyer(1_000_000_000n)
  const probe = await facilitatorOf(t)
  // The first payment of a payee costs more.
  for (let i = 0; i < 2; i++) {
    t.like((await probe.post('settle', body1(chain, await pay(chain, buyer)))).json, { success: true })
  }
  const { gasLimit, feeCeiling } = probe.sender.sent.at(-1) as SendRequest
  // Room for seven and not for eight: no two cost the same, as zeros in calldata are cheaper.
  const cap = ((FIT * 2n + 1n) * (gasLimit * feeCeiling + DATA_FEE)) / 2n
  const facilitator = await facilitatorOf(t, { settings: { gasPerDay: String(cap) } })
  facilitator.sender.hold = true
  const bodies = await Promise.all(
    Array.from({ length: AT_CAP }, async () =>
      body1(chain, await pay(chain, buyer, { value: '10000' }), price('10000')),
    ),
  )
  let answered = 0
  const post = async (body: object) => {
    const answer = await facilitator.post('settle', body)
    answered += 1
    return answer
  }
  const answers = Promise.all(bodies.map(post))
  await until('all but those that fit are refused', () => answered === AT_CAP - Number(FIT))
  t.is(await countHeld(facilitator), Number(FIT))
  t.true((await heldOf(facilitator)) <= cap)
  await facilitator.sender.release()
  const told = (await answers).map(({ json }) => json)
  const refused = told.filter(({ errorReason }) => errorReason === 'x402_daily_gas_cap_exceeded')
  t.is(told.filter(({ success }) => success === true).length, Number(FIT))
  t.is(refused.length, AT_CAP - Number(FIT))
  t.is(facilitator.sender.sent.length, Number(FIT))
  // What they cost is spent, and nothing is held any more.
  await until('the costs are booked', async () => (await heldOf(facilitator)) === 0n)
  const spent = await spentOf(facilitator)
  t.true(spent > 0n && spent <= cap)
})

function price(maxAmountRequired: string): { maxAmountRequired: string } {
  return { maxAmountRequired }
}

async function bookOf({ store }: Facilitator) {
  return store.collection(gasBooksSpec).get('eip155:84532')
}

async function heldOf(facilitator: Facilitator): Promise<bigint> {
  return total((await bookOf(facilitator))?.held ?? {})
}

async function countHeld(facilitator: Facilitator): Promise<number> {
  return Object.keys((await bookOf(facilitator))?.held ?? {}).length
}

async function spentOf(facilitator: Facilitator): Promise<bigint> {
  return total((await bookOf(facilitator))?.hours ?? {})
}

function total(amounts: Record<string, string>): bigint {
  return Object.values(amounts).reduce((sum, amount) => sum + BigInt(amount), 0n)
}

test.serial('balance emptied after verify: refused before anything is sent, and nothing is held for it', async (t) => {
  const facilitator = await facilitatorOf(t)
  const buyer = await chain.buyer(PRICE)
  const body = body1(chain, await pay(chain, buyer))
  t.like((await facilitator.post('verify', body)).json, { isValid: true })
  await handIn(chain, await pay(chain, buyer))
  const { json } = await facilitator.post('settle', body)
  t.like(json, { success: false, errorReason: 'invalid_exact_evm_insufficient_balance' })
  t.is(facilitator.sender.sent.length, 0)
  t.is(await heldOf(facilitator), 0n)
})

test.serial('balance emptied while it waits to be signed: withdrawn, and may be settled later', async (t) => {
  const facilitator = await facilitatorOf(t)
  facilitator.sender.hold = true
  const buyer = await chain.buyer(PRICE)
  const body = body1(chain, await pay(chain, buyer))
  const answer = facilitator.post('settle', body)
  await until('it is held', async () => (await heldOf(facilitator)) > 0n)
  await handIn(chain, await pay(chain, buyer))
  await facilitator.sender.release()
  t.like((await answer).json, { success: false, errorReason: 'invalid_exact_evm_insufficient_balance' })
  t.is(facilitator.sender.sent.length, 0)
  t.is(await heldOf(facilitator), 0n)
  await chain.mint(buyer.address, PRICE)
  t.like((await facilitator.post('settle', body)).json, { success: true })
})

test.serial('somebody else hands in what we have claimed: the payee is paid, and that is the answer', async (t) => {
  const facilitator = await facilitatorOf(t)
  facilitator.sender.hold = true
  const buyer = await chain.buyer()
  const payment = await pay(chain, buyer)
  const before = await chain.balance(SELLER)
  const answer = facilitator.post('settle', body1(chain, payment))
  await until('it is held', async () => (await heldOf(facilitator)) > 0n)
  await handIn(chain, payment)
  await facilitator.sender.release()
  const { json } = await answer
  t.like(json, { success: true, payer: buyer.address })
  const { logs } = await chain.client.getTransactionReceipt({ hash: json['transaction'] as `0x${string}` })
  t.is(logs.length, 2)
  t.is(facilitator.sender.sent.length, 0)
  t.is(await chain.balance(SELLER), before + PRICE)
})

test.serial('it was handed in before anybody asked us: refused, as it may have paid for something else', async (t) => {
  const facilitator = await facilitatorOf(t)
  const payment = await pay(chain, await chain.buyer())
  await handIn(chain, payment)
  const { json } = await facilitator.post('settle', body1(chain, payment))
  t.like(json, { success: false, errorReason: 'invalid_exact_evm_authorization_used', transaction: '' })
})

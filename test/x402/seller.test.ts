/** The seller's middleware against a real facilitator: what is served, what is charged, what is refused. */
import { createServer } from 'node:http'
import Koa from 'koa'
import test, { type ExecutionContext } from 'ava'
import { baseUrlOf } from '../../gateway/http/server.ts'
import { seller } from '../../plugins/x402/seller/seller.ts'
import { until } from '../support/processes.ts'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, handIn, pay, PRICE, SELLER, type Payment } from '../support/x402/payments.ts'

let chain: PaymentChain
let facilitator: Facilitator

test.before(async () => {
  chain = await startPaymentChain()
  facilitator = await startFacilitator(chain, { settings: { settleWaitMs: '300' } })
})
test.after.always(async () => {
  await facilitator.stop()
  await chain.stop()
})

interface Bought {
  status: number
  headers: Headers
  json: Record<string, unknown>
  receipt: string | null
}

interface Shop {
  buy: (payment?: Payment) => Promise<Bought>
  served: () => number
}

/** @param outside Comes before the seller's middleware. */
async function shop(
  t: ExecutionContext,
  serve: Koa.Middleware = () => {},
  outside: Koa.Middleware = (_, next) => next(),
): Promise<Shop> {
  let served = 0
  const { name, version } = chain.domain
  const price = {
    amount: String(PRICE),
    asset: chain.token,
    domain: { name, version },
    network: 'base-sepolia',
    payTo: SELLER,
  }
  const app = new Koa()
  app.silent = true
  app.use(outside)
  app.use(seller({ facilitatorUrl: facilitator.url, price }))
  app.use(async (context, next) => {
    served += 1
    context.body = { served }
    await serve(context, next)
  })
  const handle = app.callback()
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return {
    async buy(payment) {
      const headers = payment === undefined ? {} : { 'X-PAYMENT': headerOf(payment) }
      const answer = await fetch(`${baseUrlOf(server)}/paid`, { headers })
      const json = (await answer.json()) as Record<string, unknown>
      const receipt = answer.headers.get('X-PAYMENT-RESPONSE')
      return { status: answer.status, headers: answer.headers, json, receipt }
    },
    served: () => served,
  }
}

function headerOf(payment: Payment): string {
  return Buffer.from(JSON.stringify(body1(chain, payment).paymentPayload)).toString('base64')
}

test.serial('without a payment: the price', async (t) => {
  const { buy, served } = await shop(t)
  const { status, headers, json } = await buy()
  t.is(status, 402)
  t.is(headers.get('cache-control'), 'no-store')
  t.like(json, { x402Version: 1, error: 'X-PAYMENT header is required' })
  t.like((json['accepts'] as object[])[0], { maxAmountRequired: String(PRICE), payTo: SELLER, asset: chain.token })
  t.is(served(), 0)
})

test.serial('paid once, served once: a repeat is refused, also at the same time', async (t) => {
  const { buy, served } = await shop(t)
  const payment = await pay(chain, await chain.buyer())
  const answers = await Promise.all(Array.from({ length: 10 }, () => buy(payment)))
  t.is(answers.filter(({ status }) => status === 200).length, 1)
  t.is((await buy(payment)).status, 402)
  t.is(served(), 1)
  const { receipt } = answers.find(({ status }) => status === 200) as { receipt: string }
  t.like(JSON.parse(Buffer.from(receipt, 'base64').toString()) as object, { success: true, network: 'base-sepolia' })
})

test.serial('another shop is not paid by the payment of the first', async (t) => {
  const [one, other] = [await shop(t), await shop(t)]
  const payment = await pay(chain, await chain.buyer())
  t.is((await one.buy(payment)).status, 200)
  t.is((await other.buy(payment)).status, 402)
  t.is(other.served(), 0)
})

test.serial('what cannot be served is not charged', async (t) => {
  const { buy } = await shop(t, (context) => {
    context.status = 500
    context.body = {}
  })
  const buyer = await chain.buyer()
  t.is((await buy(await pay(chain, buyer))).status, 500)
  t.is(await chain.balance(buyer.address), 100_000_000n)
})

test.serial('what was served and is not paid leaves nothing in the answer', async (t) => {
  const buyer = await chain.buyer(PRICE)
  const [payment, other] = [await pay(chain, buyer), await pay(chain, buyer)]
  const serve: Koa.Middleware = async (context) => {
    // By now the facilitator has verified; this takes what it is to settle.
    await handIn(chain, other)
    context.status = 302
    context.set({ Location: '/goods', 'X-License-Key': 'AAAA', 'X-Shop': 'open', 'Cache-Control': 'public' })
    context.cookies.set('session', 'paid', { signed: false })
    context.remove('X-Frame-Options')
    context.type = 'text/csv'
    context.body = 'a,b'
  }
  const outside: Koa.Middleware = async (context, next) => {
    context.set({ 'X-Shop': 'closed', 'X-Frame-Options': 'DENY', 'Content-Type': 'text/html' })
    context.cookies.set('language', 'en', { signed: false })
    context.cookies.set('theme', 'dark', { signed: false })
    await next()
  }
  const { buy, served } = await shop(t, serve, outside)
  const plain = await buy()
  const { status, headers, json } = await buy(payment)
  t.is(served(), 1)
  t.is(status, 402)
  t.like(json, { error: 'invalid_exact_evm_insufficient_balance' })
  const named = (all: Headers) => [...all].filter(([name]) => name !== 'date' && name !== 'content-length')
  t.deepEqual(named(headers), named(plain.headers))
  t.like(Object.fromEntries(headers), { 'x-shop': 'closed', 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
  t.is(headers.get('content-type'), 'application/json; charset=utf-8')
  t.deepEqual(headers.getSetCookie(), ['language=en; path=/; httponly', 'theme=dark; path=/; httponly'])
})

test.serial('a payment that took too long is served when the same header comes again', async (t) => {
  const { buy } = await shop(t)
  const payment = await pay(chain, await chain.buyer())
  facilitator.sender.hold = true
  const late = await buy(payment)
  t.is(late.status, 402)
  t.like(late.json, { error: 'x402_settlement_in_flight' })
  await facilitator.sender.release()
  await until('it is served', async () => (await buy(payment)).status === 200)
  t.is((await buy(payment)).status, 402)
})

test.serial('a bad payment, and no facilitator', async (t) => {
  const { buy, served } = await shop(t)
  const poor = await pay(chain, await chain.buyer(0n))
  t.like(await buy(poor), { status: 402, json: { error: 'invalid_exact_evm_insufficient_balance' } })
  t.like(await buy({ ...poor, authorization: {} as never }), { status: 402, json: { error: 'invalid_payment' } })
  t.is(served(), 0)
})

/** The unmodified packages of buyers and sellers, versions 1 and 2, through our facilitator: who pays whom on chain. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { ExactEvmScheme as BuyerScheme } from '@x402/evm'
import { ExactEvmSchemeV1 as BuyerScheme1 } from '@x402/evm/exact/v1/client'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { paymentMiddleware as sellerOf2, x402ResourceServer } from '@x402/express'
import { decodePaymentResponseHeader, wrapFetchWithPayment as buyerOf2, x402Client } from '@x402/fetch'
import test, { type ExecutionContext } from 'ava'
import express from 'express'
import { paymentMiddleware as sellerOf1 } from 'x402-express'
import { decodeXPaymentResponse, wrapFetchWithPayment as buyerOf1 } from 'x402-fetch'
import { createWalletClient, http, type PrivateKeyAccount } from 'viem'
import { baseSepolia } from 'viem/chains'
import { baseUrlOf } from '../../gateway/http/server.ts'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { SELLER } from '../support/x402/payments.ts'

const PRICE = 50_000n
let chain: PaymentChain
let facilitator: Facilitator

test.before(async () => {
  chain = await startPaymentChain()
  facilitator = await startFacilitator(chain)
})
test.after.always(async () => {
  await facilitator.stop()
  await chain.stop()
})

test.serial('version 1: x402-fetch pays an x402-express seller', async (t) => {
  const buyer = await chain.buyer()
  const { url, served } = await shop(t, sellerApp1())
  const before = await chain.balance(SELLER)
  const paid = await fetch1(buyer)(`${url}/paid`)
  t.is(paid.status, 200)
  t.deepEqual(await paid.json(), { served: 1 })
  const receipt = decodeXPaymentResponse(paid.headers.get('X-PAYMENT-RESPONSE') ?? '')
  t.like(receipt, { success: true, network: 'base-sepolia', payer: buyer.address })
  await checkChain(t, buyer, before, receipt.transaction)
  t.is(served(), 1)
})

test.serial('version 2: @x402/fetch pays an @x402/express seller', async (t) => {
  const buyer = await chain.buyer()
  const { url, served } = await shop(t, await sellerApp2())
  const before = await chain.balance(SELLER)
  const paid = await fetch2(buyer)(`${url}/paid`)
  t.is(paid.status, 200, await paid.clone().text())
  const receipt = decodePaymentResponseHeader(paid.headers.get('PAYMENT-RESPONSE') ?? '')
  t.like(receipt, { success: true, network: 'eip155:84532', payer: buyer.address })
  await checkChain(t, buyer, before, receipt.transaction)
  t.is(served(), 1)
})

test.serial('version 2: @x402/fetch pays an x402-express seller, which speaks version 1', async (t) => {
  const buyer = await chain.buyer()
  const { url } = await shop(t, sellerApp1())
  const before = await chain.balance(SELLER)
  const paid = await fetch2(buyer, true)(`${url}/paid`)
  t.is(paid.status, 200, await paid.clone().text())
  t.is(await chain.balance(SELLER), before + PRICE)
})

test.serial('a buyer without tokens is refused by the seller with our reason', async (t) => {
  const buyer = await chain.buyer(PRICE - 1n)
  const { url, served } = await shop(t, sellerApp1())
  const refused = await fetch1(buyer)(`${url}/paid`)
  t.is(refused.status, 402)
  t.like(await refused.json(), { error: 'invalid_exact_evm_insufficient_balance' })
  t.is(served(), 0)
})

async function checkChain(t: ExecutionContext, buyer: Buyer, before: bigint, transaction: string) {
  t.is(await chain.balance(SELLER), before + PRICE)
  t.is(await chain.balance(buyer.address), 100_000_000n - PRICE)
  t.is(await chain.client.getBalance({ address: buyer.address }), 0n)
  const receipt = await chain.client.getTransactionReceipt({ hash: transaction as `0x${string}` })
  t.is(receipt.status, 'success')
}

type Buyer = Awaited<ReturnType<PaymentChain['buyer']>>

/** The packages have a viem of their own, whose types are other types. */
function asTheirs(buyer: Buyer): PrivateKeyAccount {
  return buyer as unknown as PrivateKeyAccount
}

function fetch1(buyer: Buyer): typeof fetch {
  const wallet = createWalletClient({ account: asTheirs(buyer), transport: http(chain.rpcUrl), chain: baseSepolia })
  return buyerOf1(fetch, wallet as never) as typeof fetch
}

function fetch2(buyer: Buyer, legacy = false): typeof fetch {
  const client = new x402Client().register('eip155:84532', new BuyerScheme(asTheirs(buyer)))
  if (legacy) client.registerV1('base-sepolia', new BuyerScheme1(asTheirs(buyer)))
  // Of itself it pays only with tokens that it knows.
  client.setSpendControls(false)
  return buyerOf2(fetch, client)
}

type App = ReturnType<typeof express>

function sellerApp1(): App {
  const app = express()
  const { name, version } = chain.domain
  const asset = { address: chain.token, decimals: 6, eip712: { name, version } }
  const route = { price: { amount: String(PRICE), asset }, network: 'base-sepolia' as const }
  app.use(sellerOf1(SELLER, { '/paid': route }, { url: facilitator.url as `http://${string}` }) as never)
  return app
}

async function sellerApp2(): Promise<App> {
  const app = express()
  const { name, version } = chain.domain
  const price = { amount: String(PRICE), asset: chain.token, extra: { name, version } }
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator.url }))
  server.register('eip155:84532', new SellerScheme())
  await server.initialize()
  const accepts = { scheme: 'exact', price, network: 'eip155:84532' as const, payTo: SELLER }
  app.use(sellerOf2({ 'GET /paid': { accepts, description: 'a page' } }, server) as never)
  return app
}

async function shop(t: ExecutionContext, app: App): Promise<{ url: string; served: () => number }> {
  let served = 0
  app.get('/paid', (_request, response) => {
    served += 1
    response.json({ served })
  })
  const server: Server = createServer(app as unknown as RequestListener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: baseUrlOf(server), served: () => served }
}

/** A payment from the seller's request to the chain, on a local chain. */
import test from 'ava'
import { SELLER, PRICE, body1, body2, pay } from '../support/x402/payments.ts'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'

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

test.serial('what is supported: both versions, the first one first, and who pays', async (t) => {
  const { status, json, headers } = await facilitator.get('supported')
  t.is(status, 200)
  t.deepEqual(json, {
    kinds: [
      { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
      { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
    ],
    extensions: [],
    signers: { 'eip155:*': [chain.relayer] },
  })
  t.is(headers.get('cache-control'), 'no-store')
})

test.serial('version 1: verified, settled, replayed', async (t) => {
  const buyer = await chain.buyer()
  const body = body1(chain, await pay(chain, buyer))
  const before = await chain.balance(SELLER)
  const verified = await facilitator.post('verify', body)
  t.deepEqual(verified.json, { isValid: true, payer: buyer.address })
  const settled = await facilitator.post('settle', body)
  t.is(settled.status, 200)
  const { transaction } = settled.json
  t.deepEqual(settled.json, { success: true, transaction, network: 'base-sepolia', payer: buyer.address })
  t.is(await chain.balance(SELLER), before + PRICE)
  t.is(await chain.balance(buyer.address), 100_000_000n - PRICE)
  const sent = facilitator.sender.sent.length

  const repeat = await facilitator.post('settle', body)
  t.deepEqual(repeat.json, { ...settled.json, replayed: true })
  const used = await facilitator.post('verify', body)
  t.deepEqual(used.json, {
    isValid: false,
    invalidReason: 'invalid_exact_evm_authorization_used',
    payer: buyer.address,
  })
  t.is(facilitator.sender.sent.length, sent)
  t.is(await chain.balance(SELLER), before + PRICE)
})

test.serial('version 2: verified, settled, a repeat is refused with the hash', async (t) => {
  const buyer = await chain.buyer()
  const body = body2(chain, await pay(chain, buyer))
  t.deepEqual((await facilitator.post('verify', body)).json, { isValid: true, payer: buyer.address })
  const settled = await facilitator.post('settle', body)
  const { transaction } = settled.json
  const network = 'eip155:84532'
  t.deepEqual(settled.json, { success: true, transaction, network, payer: buyer.address })
  const repeat = await facilitator.post('settle', body)
  t.deepEqual(repeat.json, {
    success: false,
    errorReason: 'duplicate_settlement',
    transaction,
    network,
    payer: buyer.address,
  })
})

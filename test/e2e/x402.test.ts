/** Payments through the whole service: signer, sending engine, chain. */
import test from 'ava'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startPayingService, type PayingService } from '../support/x402/paying-service.ts'
import { body1, body2, pay, PRICE, SELLER } from '../support/x402/payments.ts'

let paying: PayingService

test.before(async () => {
  // A machine with other work may take longer than an answer usually waits.
  paying = await startPayingService({ KEYSTEAD_X402_SETTLE_WAIT_MS: '120000' })
})
test.after.always(() => paying.dispose())

test.serial('a payment is verified, settled and replayed', async (t) => {
  const { chain, buyer, service } = paying
  const body = body1(chain, await pay(chain, buyer))
  t.deepEqual((await paying.post('verify', body)).json, { isValid: true, payer: buyer.address })
  const { json } = await paying.post('settle', body)
  t.like(json, { success: true, network: 'base-sepolia', payer: buyer.address })
  t.is(await paying.balance(SELLER), PRICE)
  t.deepEqual((await paying.post('settle', body)).json, { ...json, replayed: true })
  const supported = await fetch(`${service.dev.x402.facilitatorUrl}/supported`)
  t.like(await supported.json(), { signers: { 'eip155:*': [service.dev.x402.relayerAddress] } })
})

test.serial('why the chain would refuse is told as it is', async (t) => {
  const { chain } = paying
  const poor = privateKeyToAccount(generatePrivateKey())
  const body = body1(chain, await pay(chain, poor))
  const reason = 'invalid_exact_evm_insufficient_balance'
  t.like((await paying.post('verify', body)).json, { isValid: false, invalidReason: reason })
  t.like((await paying.post('settle', body)).json, { success: false, errorReason: reason })
})

const AT_ONCE = 48

test.serial('many payments at once are all settled, in both versions', async (t) => {
  const { chain, buyer } = paying
  const before = await paying.balance(SELLER)
  const transfers = await paying.transfers()
  const bodies = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => (i % 2 === 0 ? body1 : body2)(chain, await pay(chain, buyer))),
  )
  const answers = await Promise.all(bodies.map((body) => paying.post('settle', body)))
  for (const { json } of answers) t.like(json, { success: true }, JSON.stringify(json))
  t.is(new Set(answers.map(({ json }) => json['transaction'])).size, AT_ONCE)
  t.is(await paying.transfers(), transfers + AT_ONCE)
  t.is(await paying.balance(SELLER), before + BigInt(AT_ONCE) * PRICE)
})

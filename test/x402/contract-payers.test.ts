/** Payers with code are judged as the token judges them: by what their code says of the signature. */
import test from 'ava'
import type { Address, Hex } from 'viem'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, pay, PRICE, SELLER } from '../support/x402/payments.ts'

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

test.serial('ERC-1271: the wallet of the signer pays, and a repeat is known again', async (t) => {
  const owner = await chain.buyer(0n)
  const wallet = await chain.deploy('TestWallet', [owner.address])
  await chain.mint(wallet, PRICE)
  const body = body1(chain, await pay(chain, owner, { from: wallet }))
  t.deepEqual((await facilitator.post('verify', body)).json, { isValid: true, payer: wallet })
  const { json } = await facilitator.post('settle', body)
  t.like(json, { success: true, payer: wallet })
  t.is(await chain.balance(SELLER), PRICE)
  t.deepEqual((await facilitator.post('settle', body)).json, { ...json, replayed: true })
})

test.serial('ERC-1271: a signature that is not of its owner', async (t) => {
  const owner = await chain.buyer(0n)
  const wallet = await chain.deploy('TestWallet', [owner.address])
  await chain.mint(wallet, PRICE)
  const stranger = await chain.buyer(0n)
  const body = body1(chain, await pay(chain, stranger, { from: wallet }))
  await refusedSignature(t, body, wallet)
})

test.serial('EIP-7702: an account whose delegate refuses its key cannot pay with its key', async (t) => {
  const buyer = await chain.buyer()
  const delegate = await chain.deploy('TestWallet', [buyer.address])
  const body = body1(chain, await pay(chain, buyer))
  t.like((await facilitator.post('verify', body)).json, { isValid: true })
  await chain.client.setCode({ address: buyer.address, bytecode: `0xef0100${delegate.slice(2)}` as Hex })
  await refusedSignature(t, body, buyer.address)
})

test.serial('ERC-6492: a wallet that is not there yet', async (t) => {
  const owner = await chain.buyer(0n)
  const payment = await pay(chain, owner, { from: '0x00000000000000000000000000000000000a11e7' })
  const signature: Hex = `${payment.signature}${'6492'.repeat(16)}`
  await refusedSignature(t, body1(chain, { ...payment, signature }), payment.authorization.from)
})

async function refusedSignature(
  t: { deepEqual: (actual: unknown, expected: unknown) => boolean },
  body: object,
  payer: Address,
): Promise<void> {
  const invalidReason = 'invalid_exact_evm_signature'
  t.deepEqual((await facilitator.post('verify', body)).json, { isValid: false, invalidReason, payer })
  const { json } = await facilitator.post('settle', body)
  const network = 'base-sepolia'
  t.deepEqual(json, { success: false, errorReason: invalidReason, transaction: '', network, payer })
}

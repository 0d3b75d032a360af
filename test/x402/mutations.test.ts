/**
 * Each member of payment and requirements, changed, against both routes and both versions: what is not the payment that
 * was signed and asked for is refused, nothing is sent for it, and it costs nobody anything.
 */
import test from 'ava'
import type { PrivateKeyAccount } from 'viem'
import { commonReasons } from '../../plugins/x402/reasons.ts'
import { exactEip155Reasons } from '../../plugins/x402/schemes/exact-eip155/reasons.ts'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { mutations, type Mutation } from '../support/x402/mutations.ts'
import { startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, body2, pay, PRICE, SELLER, type Json, type Payment } from '../support/x402/payments.ts'

let chain: PaymentChain
let facilitator: Facilitator
let buyer: PrivateKeyAccount

test.before(async () => {
  chain = await startPaymentChain()
  facilitator = await startFacilitator(chain)
  buyer = await chain.buyer(1_000_000_000n)
})
test.after.always(async () => {
  await facilitator.stop()
  await chain.stop()
})

const reasons = new Set([...Object.keys(commonReasons), ...Object.keys(exactEip155Reasons)])
const COUNTS = { 1: 272, 2: 339 } as const

for (const version of [1, 2] as const) {
  const all = mutations(version)

  test.serial(`version ${version}: every changed payment is refused and costs nothing`, async (t) => {
    t.is(all.length, COUNTS[version])
    const refused = all.filter(({ expected }) => expected === 'refused')
    const payment = await pay(chain, buyer)
    const paid = await chain.balance(SELLER)
    const wei = await chain.client.getBalance({ address: chain.relayer })
    const before = facilitator.sender.sent.length
    for (const mutation of refused) {
      const body = mutated(mutation, version, payment)
      const verified = await facilitator.post('verify', body)
      t.is(verified.status, 200, mutation.name)
      t.deepEqual(Object.keys(verified.json).toSorted(), keysOfVerify(verified.json), mutation.name)
      t.is(verified.json['isValid'], false, mutation.name)
      t.true(reasons.has(String(verified.json['invalidReason'])), mutation.name)
      const settled = await facilitator.post('settle', body)
      t.is(settled.status, 200, mutation.name)
      t.like(settled.json, { success: false, transaction: '' }, mutation.name)
      t.is(settled.json['errorReason'], verified.json['invalidReason'], mutation.name)
    }
    t.is(facilitator.sender.sent.length, before)
    t.is(await chain.client.getBalance({ address: chain.relayer }), wei)
    t.is(await chain.balance(SELLER), paid)
    // Nothing that was refused has spoilt the payment itself.
    const settled = await facilitator.post('settle', version === 1 ? body1(chain, payment) : body2(chain, payment))
    t.like(settled.json, { success: true })
    t.is(await chain.balance(SELLER), paid + PRICE)
  })

  for (const mutation of all.filter(({ expected }) => expected === 'same')) {
    test.serial(`version ${version}: still the same payment: ${mutation.name}`, async (t) => {
      const before = await chain.balance(SELLER)
      const body = mutated(mutation, version, await pay(chain, buyer))
      t.like((await facilitator.post('verify', body)).json, { isValid: true })
      t.like((await facilitator.post('settle', body)).json, { success: true })
      t.is(await chain.balance(SELLER), before + PRICE)
    })
  }
}

function mutated(mutation: Mutation, version: 1 | 2, payment: Payment): Json {
  const body = structuredClone(version === 1 ? body1(chain, payment) : body2(chain, payment)) as unknown as Json
  mutation.apply(body)
  return body
}

/** Version 2 may say a sentence more. */
function keysOfVerify(json: Record<string, unknown>): string[] {
  return ['invalidMessage', 'invalidReason', 'isValid', 'payer'].filter(
    (name) => name !== 'invalidMessage' || name in json,
  )
}

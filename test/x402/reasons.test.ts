/** Every reason that the facilitator may give, produced once over HTTP, for verify and for settle. */
import test, { type ExecutionContext } from 'ava'
import { createPublicClient, http } from 'viem'
import { RateLimiterUnavailableError } from '../../gateway/plugin-api.ts'
import { commonReasons } from '../../plugins/x402/reasons.ts'
import { exactEip155Reasons } from '../../plugins/x402/schemes/exact-eip155/reasons.ts'
import { settlementsSpec } from '../../plugins/x402/settlements/settlement.ts'
import { BODY_BYTES_MAX } from '../../signer-core/protocol/limits.ts'
import { startFacilitator, type Facilitator, type FacilitatorOptions } from '../support/x402/facilitator.ts'
import { newNonce, startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, body2, handIn, pay, PRICE, type Payment, type SignedAuthorization } from '../support/x402/payments.ts'

let chain: PaymentChain
const seen = new Set<string>()

test.before(async () => {
  chain = await startPaymentChain()
})
test.after.always(() => chain.stop())

async function facilitatorOf(t: ExecutionContext, options: FacilitatorOptions = {}): Promise<Facilitator> {
  const facilitator = await startFacilitator(chain, options)
  t.teardown(() => facilitator.stop())
  return facilitator
}

/** Refused by both routes with this code, with the shape of the specification, and nothing was sent. */
async function refused(
  t: ExecutionContext,
  facilitator: Facilitator,
  body: unknown,
  code: string,
  { payer = '', network = 'base-sepolia', status = 200, routes = ['verify', 'settle'], headers = {} } = {},
): Promise<void> {
  const sent = facilitator.sender.sent.length
  if (routes.includes('verify')) {
    const verified = await facilitator.post('verify', body, headers)
    t.deepEqual(verified.json, { isValid: false, invalidReason: code, payer })
    t.is(verified.status, status)
  }
  if (routes.includes('settle')) {
    const settled = await facilitator.post('settle', body, headers)
    t.deepEqual(settled.json, { success: false, errorReason: code, transaction: '', network, payer })
    t.is(settled.status, status)
  }
  t.is(facilitator.sender.sent.length, sent)
  seen.add(code)
}

async function payment(changes: Partial<SignedAuthorization> = {}, units?: bigint): Promise<Payment> {
  return pay(chain, await chain.buyer(units), changes)
}

const nowS = () => Math.floor(Date.now() / 1000)

test.serial('malformed bodies', async (t) => {
  const facilitator = await facilitatorOf(t)
  for (const body of ['', '{', '[]', '{}', '{"a":1,"a":2}', 'null']) {
    await refused(t, facilitator, body, 'invalid_request', { network: '' })
  }
  const paid = await payment()
  const payer = paid.authorization.from
  const otherNetwork = body1(chain, paid)
  otherNetwork.paymentPayload.network = 'base'
  await refused(t, facilitator, otherNetwork, 'invalid_request', { payer, network: 'base' })
  const longest = 'n'.repeat(64)
  await refused(t, facilitator, body1(chain, paid, { network: longest }), 'x402_policy_disabled', {
    payer,
    network: longest,
  })
  for (const bodyOf of [body1, body2]) {
    const tooLong = bodyOf(chain, paid, { network: `${longest}n` })
    await refused(t, facilitator, tooLong, 'invalid_request', { payer, network: '' })
  }
  const noPayer = body1(chain, { ...paid, authorization: { ...paid.authorization, from: '0x12' } })
  await refused(t, facilitator, noPayer, 'invalid_request')
})

test.serial('bodies that are not read: too large, encoded', async (t) => {
  const facilitator = await facilitatorOf(t, { settings: { settlePerIp: '4' } })
  const body = JSON.stringify(body1(chain, await payment(), { description: 'x'.repeat(BODY_BYTES_MAX) }))
  await refused(t, facilitator, body, 'invalid_request', { network: '', status: 413 })
  const headers = { 'Content-Encoding': 'gzip' }
  await refused(t, facilitator, '{}', 'invalid_request', { network: '', status: 415, headers })
  const large = await facilitator.post('settle', body)
  t.is(large.headers.get('cache-control'), 'no-store')
  t.is(large.headers.get('connection'), 'close')
  // Without a length it is read until it is too long.
  const stream = new Blob([body]).stream()
  const init = { method: 'POST', body: stream, duplex: 'half' } as const
  const parts = await fetch(`${facilitator.url}/settle`, init)
  t.is(parts.status, 413)
  t.like(await parts.json(), { success: false, errorReason: 'invalid_request' })
  // They count as any other.
  const limited = { network: '', status: 429, routes: ['settle'] }
  await refused(t, facilitator, body, 'x402_rate_limited', limited)
  await refused(t, facilitator, '{}', 'x402_rate_limited', { ...limited, headers })
})

test.serial('what was signed: signature, recipient, value, time', async (t) => {
  const facilitator = await facilitatorOf(t)
  const paid = await payment()
  const payer = paid.authorization.from
  const otherDomain = await pay({ domain: { ...chain.domain, version: '9' } }, await chain.buyer())
  await refused(t, facilitator, body1(chain, otherDomain), 'invalid_exact_evm_signature', {
    payer: otherDomain.authorization.from,
  })
  const extra = { name: chain.domain.name, version: '9' }
  await refused(t, facilitator, body1(chain, paid, { extra }), 'invalid_exact_evm_signature', { payer })
  const payTo = '0x00000000000000000000000000000000000e15e5'
  await refused(t, facilitator, body1(chain, paid, { payTo }), 'invalid_exact_evm_recipient_mismatch', { payer })
  const maxAmountRequired = String(PRICE + 1n)
  await refused(t, facilitator, body1(chain, paid, { maxAmountRequired }), 'invalid_exact_evm_insufficient_value', {
    payer,
  })
  const windows = [
    { validBefore: String(nowS() + 3) },
    { validBefore: String(nowS() - 1) },
    { validAfter: String(nowS() + 60) },
  ]
  for (const window of windows) {
    const late = await payment(window)
    await refused(t, facilitator, body1(chain, late), 'invalid_exact_evm_authorization_expired', {
      payer: late.authorization.from,
    })
  }
})

test.serial('version 2 takes no more than was asked for', async (t) => {
  const facilitator = await facilitatorOf(t)
  const paid = await payment({ value: String(PRICE + 1n) })
  const code = 'invalid_exact_evm_payload_authorization_value_mismatch'
  const options = { payer: paid.authorization.from, network: 'eip155:84532' }
  await refused(t, facilitator, body2(chain, paid, { amount: String(PRICE) }), code, options)
})

test.serial('the state of the chain: balance, nonce used, nonce cancelled', async (t) => {
  const facilitator = await facilitatorOf(t)
  const poor = await payment({}, PRICE - 1n)
  await refused(t, facilitator, body1(chain, poor), 'invalid_exact_evm_insufficient_balance', {
    payer: poor.authorization.from,
  })
  const used = await payment()
  await handIn(chain, used)
  await refused(t, facilitator, body1(chain, used), 'invalid_exact_evm_authorization_used', {
    payer: used.authorization.from,
  })
})

test.serial('the policy: disabled, asset, payee, amount', async (t) => {
  const paid = await payment()
  const payer = paid.authorization.from
  const disabled = await facilitatorOf(t, { settings: { policyEnabled: 'false' } })
  await refused(t, disabled, body1(chain, paid), 'x402_policy_disabled', { payer })
  const facilitator = await facilitatorOf(t)
  const network = 'base'
  await refused(t, facilitator, body1(chain, paid, { network }), 'x402_policy_disabled', { payer, network })
  const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
  await refused(t, facilitator, body1(chain, paid, { asset }), 'x402_asset_not_allowed', { payer })
  const choosy = await facilitatorOf(t, { settings: { payees: '0x00000000000000000000000000000000000a110f' } })
  await refused(t, choosy, body1(chain, paid), 'x402_payto_not_allowed', { payer })
  for (const [value, code] of [
    ['9999', 'x402_amount_below_minimum'],
    ['10000001', 'x402_amount_exceeds_cap'],
  ] as const) {
    const bounded = await payment({ value })
    const body = body1(chain, bounded, { maxAmountRequired: value })
    await refused(t, facilitator, body, code, { payer: bounded.authorization.from })
  }
  for (const value of ['10000', '10000000']) {
    const bounded = await payment({ value })
    const { json } = await facilitator.post('verify', body1(chain, bounded, { maxAmountRequired: value }))
    t.like(json, { isValid: true }, value)
  }
})

test.serial('the operator: budgets spent, no relayer, no node', async (t) => {
  const paid = await payment()
  const payer = paid.authorization.from
  const daily = await facilitatorOf(t, { settings: { gasPerDay: '1000' } })
  await refused(t, daily, body1(chain, paid), 'x402_daily_gas_cap_exceeded', { payer })
  const monthly = await facilitatorOf(t, { settings: { gasPer30Days: '1000' } })
  await refused(t, monthly, body1(chain, paid), 'x402_monthly_gas_cap_exceeded', { payer })
  const keyless = await facilitatorOf(t)
  keyless.sender.configured = false
  await refused(t, keyless, body1(chain, paid), 'x402_relayer_not_configured', { payer })
  const nobody = createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })
  const cutOff = await facilitatorOf(t, { client: nobody })
  await refused(t, cutOff, body1(chain, paid), 'x402_gas_estimate_unavailable', { payer })
  // A signature that only a contract could accept cannot be judged either, and is not called invalid.
  const byContract = { ...paid, signature: `0x${'ab'.repeat(70)}` } as const
  await refused(t, cutOff, body1(chain, byContract), 'x402_gas_estimate_unavailable', { payer })
})

test.serial('a token that refuses the transfer has no reason of its own', async (t) => {
  const facilitator = await facilitatorOf(t)
  const paid = await payment()
  const payer = paid.authorization.from
  await chain.own('setPaused', [true])
  await refused(t, facilitator, body1(chain, paid), 'x402_gas_estimate_unavailable', { payer })
  await chain.own('setPaused', [false])
  await chain.own('setBlocked', [payer, true])
  await refused(t, facilitator, body1(chain, paid), 'x402_gas_estimate_unavailable', { payer })
  await chain.own('setBlocked', [payer, false])
  t.like((await facilitator.post('settle', body1(chain, paid))).json, { success: true })
})

test.serial('in flight: for the second caller, and with the hash in version 2', async (t) => {
  const facilitator = await facilitatorOf(t, { settings: { settleWaitMs: '200' } })
  facilitator.sender.hold = true
  const paid = await payment()
  const payer = paid.authorization.from
  const first = await facilitator.post('settle', body1(chain, paid))
  t.deepEqual(first.json, {
    success: false,
    errorReason: 'x402_settlement_in_flight',
    transaction: '',
    network: 'base-sepolia',
    payer,
  })
  await refused(t, facilitator, body1(chain, paid), 'x402_settlement_in_flight', { payer })
  const [key = ''] = await heldKeys(facilitator)
  await facilitator.sender.end(key, { state: 'broadcast', hashes: [newNonce()] })
  const pending = await facilitator.post('settle', body2(chain, paid))
  const { transaction } = pending.json
  t.regex(String(transaction), /^0x[0-9a-f]{64}$/)
  t.like(pending.json, { success: false, errorReason: 'settlement_pending', network: 'eip155:84532', payer })
  seen.add('settlement_pending')
})

async function heldKeys({ store }: Facilitator): Promise<string[]> {
  const query = { where: { phase: 'sending' }, sort: 'updatedAtMs', limit: 10 } as const
  const { items } = await store.collection(settlementsSpec).find(query)
  return items.map(({ sendKey }) => sendKey)
}

test.serial('a repeat in version 2', async (t) => {
  const facilitator = await facilitatorOf(t)
  const paid = await payment()
  const payer = paid.authorization.from
  const network = 'eip155:84532'
  const { transaction } = (await facilitator.post('settle', body2(chain, paid))).json
  const { json } = await facilitator.post('settle', body2(chain, paid))
  t.deepEqual(json, { success: false, errorReason: 'duplicate_settlement', transaction, network, payer })
  seen.add('duplicate_settlement')
})

test.serial('limits: per address, per payer, for all; and a limiter that does not answer', async (t) => {
  const garbage = { network: '', status: 429 }
  const perIp = await facilitatorOf(t, { settings: { verifyPerIp: '2', settlePerIp: '1' } })
  await perIp.post('verify', '{')
  await perIp.post('verify', '{')
  await perIp.post('settle', '{')
  await refused(t, perIp, '{', 'x402_rate_limited', garbage)
  const limited = await perIp.post('settle', '{')
  t.regex(limited.headers.get('retry-after') ?? '', /^[1-9][0-9]?$/)

  const perPayer = await facilitatorOf(t, { settings: { settlePerPayer: '1' } })
  const buyer = await chain.buyer()
  t.like((await perPayer.post('settle', body1(chain, await pay(chain, buyer)))).json, { success: true })
  const options = { payer: buyer.address, status: 429, routes: ['settle'] }
  // What does not verify is not charged to the payer.
  const expired = await pay(chain, buyer, { validBefore: '1' })
  await refused(t, perPayer, body1(chain, expired), 'invalid_exact_evm_authorization_expired', {
    payer: buyer.address,
  })
  await refused(t, perPayer, body1(chain, await pay(chain, buyer)), 'x402_rate_limited', options)
  t.like((await perPayer.post('settle', body1(chain, await payment()))).json, { success: true })

  const forAll = await facilitatorOf(t, { settings: { settlePerFacilitator: '1' } })
  t.like((await forAll.post('settle', body1(chain, await payment()))).json, { success: true })
  const second = await payment()
  await refused(t, forAll, body1(chain, second), 'x402_rate_limited', { ...options, payer: second.authorization.from })

  const down = await facilitatorOf(t, {
    openRateLimiter: () => ({ consume: () => Promise.reject(new RateLimiterUnavailableError('down')) }),
  })
  const payer = second.authorization.from
  await refused(t, down, body1(chain, second), 'x402_rate_limit_unavailable', { payer, status: 503 })
})

test.serial('every reason of the tables was given', (t) => {
  t.deepEqual([...seen].toSorted(), [...Object.keys(commonReasons), ...Object.keys(exactEip155Reasons)].toSorted())
})

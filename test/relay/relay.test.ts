/** The relay as its clients see it: the real service, signer included, on a local chain. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { submissionOf } from '../support/relay/submissions.ts'
import { signBatch, transfer } from '../support/relay/delegation.ts'
import {
  stampOf,
  startRelayingService,
  type Balance,
  type RelayingService,
  type Transaction,
} from '../support/relay/relaying-service.ts'
import type { PrivateKeyAccount } from 'viem'

const PAYEE = '0x00000000000000000000000000000000000000bb'
const TANK = 10n ** 19n
const ENDS = ['confirmed', 'failed', 'expired']
let relay: RelayingService

test.before(async () => {
  relay = await startRelayingService()
})
test.after.always(() => relay.dispose())

async function sponsored(account: PrivateKeyAccount, { nonce = 0n, authorized = true, units = 1n } = {}) {
  const batch = await signBatch(account, [transfer(relay.token, PAYEE, units)], { nonce })
  const { delegateAddress: address } = relay.relay
  const authorization = await account.signAuthorization({ address, chainId: 84_532, nonce: 0 })
  return submissionOf(account.address, batch, authorized ? authorization : undefined)
}

const equation = ({ deposited, debited, reserved, balance }: Balance) =>
  BigInt(deposited) - BigInt(debited) - BigInt(reserved) === BigInt(balance)

test.serial('an account without ETH moves tokens, and the tank pays what the receipt says', async (t) => {
  const account = await relay.newAccount()
  t.like(await relay.balance(), { deposited: String(TANK), debited: '0', reserved: '0' })
  const { status, json } = await relay.submit(await sponsored(account, { units: 3n }))
  t.is(status, 200)
  t.true(['pending', 'broadcasted', 'confirmed'].includes(json.status))
  const end = await relay.until(json.id, ENDS)
  t.is(end.status, 'confirmed')
  t.is(await relay.tokens(account.address), 997n)
  t.is(await relay.client.getBalance({ address: account.address }), 0n)
  const receipt = await relay.client.getTransactionReceipt({ hash: end.txHash })
  const cost = receipt.gasUsed * receipt.effectiveGasPrice
  t.is(receipt.from, relay.relay.relayerAddress.toLowerCase() as `0x${string}`)
  t.like(end, { cost: String(cost), gasUsed: String(receipt.gasUsed), blockHash: receipt.blockHash, failure: null })
  const balance = await relay.balance()
  t.like(balance, { debited: String(cost), reserved: '0', balance: String(TANK - cost) })

  // More than it has.
  const dear = await relay.submit(await sponsored(account, { nonce: 1n, authorized: false, units: 998n }))
  t.is(dear.status, 422)
  t.like(dear.json, { details: [{ reason: 'relay_simulation_reverted' }] }, JSON.stringify(dear.json))

  // The same account again, without an authorization.
  const next = await relay.submit(await sponsored(account, { nonce: 1n, authorized: false }))
  const second = await relay.until(next.json.id, ENDS)
  t.is(second.status, 'confirmed')
  const after = await relay.balance()
  t.is(BigInt(after.debited), cost + BigInt(second.cost ?? 0))
  t.true(equation(after))
  const { json: usage } = await relay.post<{ totals: object; usage: { native_amount: string }[] }>('billing_usage', {})
  t.like(usage.totals, { transactions: 2, native_amount: after.debited, l1_fee: '0' })
  const byAccount = await relay.post<{ usage: object[] }>('billing_usage', { groupBy: 'from', fromMs: '1' })
  t.like(byAccount.json.usage[0], { from: account.address, transactions: 2, native_amount: after.debited })
  t.is(byAccount.json.usage.length, 1)
  const past = await relay.post<{ window: object; usage: object[] }>('billing_usage', { toMs: '1' })
  t.like(past.json, { window: { from_ms: null, to_ms: '1' }, usage: [], next_cursor: null })
  t.is((await relay.post('billing_usage', { fromMs: '2', toMs: '1' })).status, 400)
  const listed = await relay.post<{ transactions: Transaction[] }>('list_transactions', { limit: 1 })
  t.deepEqual(
    listed.json.transactions.map(({ id }) => id),
    [second.id],
  )
})

test.serial('the same body is the same transaction, however it is written and however often it is sent', async (t) => {
  const account = await relay.newAccount()
  const parameters = await sponsored(account)
  const answers = await Promise.all(Array.from({ length: 5 }, () => relay.submit(parameters, '77')))
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const [id = ''] = new Set(answers.map(({ json }) => json.id))
  t.is(new Set(answers.map(({ json }) => json.id)).size, 1)
  await relay.until(id, ENDS)
  const { organizationId } = relay
  const body = { timestampMs: '77', parameters, organizationId }
  const sorted = (await import('canonicalize')).default(body) as string
  const again = await relay.send<Transaction>('/public/v1/relay/submit_transaction', sorted, stampOf(relay, sorted))
  t.is(again.json.id, id)
  t.is(await relay.tokens(account.address), 999n)
})

test.serial('one transaction of an account at a time; refused bodies may be sent again', async (t) => {
  const account = await relay.newAccount()
  const dearer = { ...(await sponsored(account)), maxCost: '1' }
  const refused = await relay.submit(dearer)
  t.is(refused.status, 422)
  t.deepEqual(refused.json as unknown, {
    code: 9,
    message: 'it may cost more than maxCost',
    details: [{ reason: 'relay_max_cost_too_low' }],
  })
  await relay.client.setAutomine(false)
  const first = await relay.submit(await sponsored(account))
  t.is(first.status, 200)
  t.is(first.json.status, 'broadcasted')
  t.true(BigInt((await relay.balance()).reserved) > 0n)
  const second = await relay.submit(await sponsored(account, { units: 2n }))
  t.is(second.status, 409)
  t.deepEqual(reasonOf(second.json), 'relay_authority_busy')
  await relay.client.setAutomine(true)
  await relay.client.mine({ blocks: 1 })
  t.is((await relay.until(first.json.id, ENDS)).status, 'confirmed')
  t.is((await relay.balance()).reserved, '0')
  const cancel = await relay.cancel(first.json.id)
  t.deepEqual([cancel.status, reasonOf(cancel.json)], [409, 'relay_not_cancellable'])
})

test.serial('cancelled after it was sent: its nonce goes to a cancel, which is all that it costs', async (t) => {
  const account = await relay.newAccount()
  const before = BigInt((await relay.balance()).debited)
  await relay.client.setAutomine(false)
  const { json } = await relay.submit(await sponsored(account))
  t.is(json.status, 'broadcasted')
  // Whoever has seen a stamped read has no stamped cancel.
  const read = JSON.stringify({ id: json.id, organizationId: relay.organizationId, timestampMs: '1' })
  const seen = [read, stampOf(relay, read)] as const
  t.is((await relay.send('/public/v1/relay/get_transaction', ...seen)).status, 200)
  const replayed = await relay.send<object>('/public/v1/relay/cancel_transaction', ...seen)
  t.deepEqual([replayed.status, reasonOf(replayed.json)], [400, 'relay_invalid_request'])
  t.is((await relay.cancel(json.id)).status, 200)
  for (;;) {
    const { pending } = await relay.client.getTxpoolContent()
    if (Object.values(pending).some((each) => Object.values(each).some(({ input }) => input === '0x'))) break
  }
  await relay.client.setAutomine(true)
  await relay.client.mine({ blocks: 1 })
  const end = await relay.until(json.id, ENDS)
  t.is(end.status, 'failed')
  t.is(end.failure?.code, 'relay_cancelled')
  t.is(await relay.tokens(account.address), 1_000n)
  const after = await relay.balance()
  t.like(after, { debited: String(before + BigInt(end.cost ?? 0)), reserved: '0' })
  t.true(BigInt(end.cost ?? 0) > 0n)
  // The same account once more: its batch's nonce was never used.
  const again = await relay.submit(await sponsored(account))
  const confirmed = await relay.until(again.json.id, ENDS)
  t.is(confirmed.status, 'confirmed')
  await relay.client.mine({ blocks: 2 })
  await sleep(1_000)
  const { json: now } = await relay.post<{ confirmations: number }>('get_transaction', { id: again.json.id })
  t.is(now.confirmations, 3)
})

test.serial('a block that is gone takes the gas back; the transaction comes again and is paid once', async (t) => {
  const account = await relay.newAccount()
  const before = await relay.balance()
  const { json } = await relay.submit(await sponsored(account))
  const first = await relay.until(json.id, ENDS)
  t.is(first.status, 'confirmed')
  await relay.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
  for (;;) {
    const { json: now } = await relay.post<Transaction>('get_transaction', { id: json.id })
    t.is(now.status, 'confirmed')
    if (now.reorgCount === 1 && now.blockHash !== null) break
  }
  const again = await relay.until(json.id, ENDS)
  t.is(again.txHash, first.txHash)
  t.not(again.blockHash, first.blockHash)
  const after = await relay.balance()
  t.is(BigInt(after.debited) - BigInt(before.debited), BigInt(again.cost ?? 0))
  t.is(after.reserved, '0')
  const { json: usage } = await relay.post<{ totals: { native_amount: string } }>('billing_usage', {})
  t.is(usage.totals.native_amount, after.debited)
})

test.serial('deposits: by the operator, once for each reference', async (t) => {
  const before = BigInt((await relay.balance()).deposited)
  const first = await relay.deposit({ amount: '5', reference: 'invoice 1' })
  t.is(first.status, 200)
  t.is((await relay.deposit({ amount: '5', reference: 'invoice 1', timestampMs: '2' })).status, 200)
  const conflict = await relay.deposit({ amount: '6', reference: 'invoice 1' })
  t.deepEqual([conflict.status, reasonOf(conflict.json)], [409, 'relay_reference_conflict'])
  t.is((await relay.deposit({ amount: '0', reference: 'nothing' })).status, 400)
  t.is((await relay.deposit({ amount: '5', reference: 'mine' }, relay)).status, 401)
  for (const reference of ['', 'a\0b', 'a\nb', 'a\u009fb', 'x'.repeat(129)]) {
    const { status, json } = await relay.deposit({ amount: '5', reference })
    t.deepEqual([status, json['details']], [400, [{ reason: 'relay_invalid_request', field: 'reference' }]])
  }
  t.is((await relay.deposit({ amount: '5', reference: 'noted', note: 'a\0b' })).status, 400)
  t.is((await relay.deposit({ amount: '5', note: 'by wire', reference: 'é 👍🏽'.repeat(18) })).status, 200)
  t.is(BigInt((await relay.balance()).deposited), before + 10n)
})

test.serial('stamps, shapes and what belongs to others', async (t) => {
  const account = await relay.newAccount()
  const parameters = await sponsored(account)
  const unsorted = JSON.stringify({ parameters, organizationId: relay.organizationId, timestampMs: '5' })
  t.is((await relay.send('/public/v1/relay/submit_transaction', unsorted, stampOf(relay, unsorted))).status, 401)
  t.is((await relay.send('/public/v1/relay/get_balance', '{}', '')).status, 400)
  const unknown = await relay.submit({ ...parameters, gasPayment: {} })
  t.deepEqual([unknown.status, reasonOf(unknown.json)], [400, 'relay_invalid_request'])
  const cut = await relay.submit({ ...parameters, clientReference: 'a\0b' })
  t.deepEqual([cut.status, reasonOf(cut.json)], [400, 'relay_invalid_request'])
  const elsewhere = await relay.submit({ ...parameters, caip2: 'eip155:1' })
  t.deepEqual([elsewhere.status, reasonOf(elsewhere.json)], [422, 'relay_chain_not_supported'])
  const { json } = await relay.submit(parameters)
  await relay.until(json.id, ENDS)
  const foreign = await relay.post('get_transaction', { id: json.id }, relay.operator)
  t.deepEqual([foreign.status, reasonOf(foreign.json)], [404, 'relay_transaction_not_found'])
  t.deepEqual(foreign, await relay.post('get_transaction', { id: 'none' }, relay.operator))
  t.is((await relay.post('list_transactions', { cursor: 'x' })).status, 400)
  // The operator's organization has no tank.
  const empty = await relay.post('get_balance', {}, relay.operator)
  t.like(empty.json, { deposited: '0', debited: '0', reserved: '0', balance: '0' })
  const poor = { timestampMs: '1', parameters: await sponsored(await relay.newAccount()) }
  const refused = await relay.post('submit_transaction', poor, relay.operator)
  t.deepEqual([refused.status, reasonOf(refused.json)], [400, 'relay_insufficient_balance'])
})

function reasonOf(json: object): unknown {
  return (json as { details?: { reason?: string }[] }).details?.[0]?.reason
}

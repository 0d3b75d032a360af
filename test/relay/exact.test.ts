/**
 * Many transactions at once through the whole service: what the relayer's account has lost is, to the wei, what receipts
 * say, what the tank was debited, and what usage adds up to. A thousand by hand: `KEYSTEAD_TEST_COUNT=1000`.
 */
import test from 'ava'
import type { PrivateKeyAccount } from 'viem'
import { signBatch, transfer } from '../support/relay/delegation.ts'
import { startRelayingService, type RelayingService, type Transaction } from '../support/relay/relaying-service.ts'
import { submissionOf } from '../support/relay/submissions.ts'
import { SeededRandom, seedOfRun } from '../support/seeded-random.ts'

const PAYEE = '0x00000000000000000000000000000000000000bb'
const ENDS = ['confirmed', 'failed', 'expired']
const ACCOUNTS = 8
const COUNT = Number(process.env.KEYSTEAD_TEST_COUNT ?? 20)

interface Usage {
  totals: { transactions: number; native_amount: string; gas_used: string }
  usage: { native_amount: string; relay_transaction_id: string }[]
  next_cursor: string | null
}
let relay: RelayingService
test.before(async () => {
  relay = await startRelayingService()
})
test.after.always(() => relay.dispose())

/** The account's next one; the first brings its authorization. */
async function relayed(account: PrivateKeyAccount, nonce: number, units: bigint): Promise<Transaction> {
  const batch = await signBatch(account, [transfer(relay.token, PAYEE, units)], { nonce: BigInt(nonce) })
  const { delegateAddress: address } = relay.relay
  const authorization = await account.signAuthorization({ address, chainId: 84_532, nonce: 0 })
  const { json } = await relay.submit(submissionOf(account.address, batch, nonce === 0 ? authorization : undefined))
  return relay.until(json.id, ENDS)
}

test('exact to the wei: relayer, receipts, tank, usage, tokens', async (t) => {
  t.timeout(3_600_000)
  const seed = seedOfRun()
  t.log(`seed ${seed}, ${COUNT} transactions`)
  const random = new SeededRandom(seed)
  const { relayerAddress: address } = relay.relay
  const before = await relay.client.getBalance({ address })
  const accounts: PrivateKeyAccount[] = []
  for (let i = 0; i < ACCOUNTS; i++) accounts.push(await relay.newAccount(10n ** 9n))
  const ends: Transaction[] = []
  let sent = 0
  await Promise.all(
    accounts.map(async (account) => {
      for (let nonce = 0; sent++ < COUNT; nonce++) {
        ends.push(await relayed(account, nonce, BigInt(1 + random.below(1_000))))
      }
    }),
  )
  t.is(ends.length, COUNT)
  t.true(ends.every(({ status }) => status === 'confirmed'))
  let paid = 0n
  for (const { txHash: hash, cost } of ends) {
    const receipt = await relay.client.getTransactionReceipt({ hash })
    const own = receipt.gasUsed * receipt.effectiveGasPrice
    if (cost !== String(own)) t.fail(`${hash}: ${cost} for ${own}`)
    paid += own
  }
  t.is(before - (await relay.client.getBalance({ address })), paid)
  t.is(await relay.client.getTransactionCount({ address }), COUNT)
  t.like(await relay.balance(), { debited: String(paid), reserved: '0' })
  const { json: byAccount } = await relay.post<Usage>('billing_usage', { groupBy: 'from' })
  t.like(byAccount.totals, { transactions: COUNT, native_amount: String(paid) })
  t.is(
    byAccount.usage.reduce((sum, row) => sum + BigInt(row.native_amount), 0n),
    paid,
  )
  const rows: Usage['usage'] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: { json: Usage } = await relay.post<Usage>('billing_usage', { limit: 7, ...(cursor && { cursor }) })
    rows.push(...page.json.usage)
    cursor = page.json.next_cursor
  }
  t.is(new Set(rows.map((row) => row.relay_transaction_id)).size, COUNT)
  t.is(
    rows.reduce((sum, row) => sum + BigInt(row.native_amount), 0n),
    paid,
  )
})

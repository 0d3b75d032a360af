/** Gas in tokens through the whole service: quoted, paid in the batch, metered from the receipt, taken back with its block. */
import test from 'ava'
import { getAddress, getContractAddress, type PrivateKeyAccount } from 'viem'
import { freePort } from '../support/processes.ts'
import { signBatch, transfer } from '../support/relay/delegation.ts'
import { setPriceFeed } from '../support/relay/price-feed.ts'
import { startRelayingService, type RelayingService, type Transaction } from '../support/relay/relaying-service.ts'
import { submissionOf } from '../support/relay/submissions.ts'

const PAYEE = '0x00000000000000000000000000000000000000bb'
const FEED = getAddress('0x00000000000000000000000000000000000feed1')
const COLLECTOR = getAddress('0x00000000000000000000000000000000000c011e')
/** The first contract of anvil's first account: where development mode puts its token. */
const TOKEN = getContractAddress({ from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', nonce: 0n })
const UNITS = 10n ** 12n
const ENDS = ['confirmed', 'failed', 'expired']

interface Paying extends Transaction {
  gas_token: string | null
  gas_token_amount: string | null
}
interface TokenUsage {
  totals: object[]
  usage: object[]
}
let relay: RelayingService
let metricsPort: number

test.before(async () => {
  metricsPort = await freePort()
  relay = await startRelayingService({
    KEYSTEAD_GAS_RELAY_GAS_TOKENS: `${TOKEN}=${FEED}`,
    KEYSTEAD_GAS_RELAY_GAS_COLLECTOR: COLLECTOR,
    KEYSTEAD_METRICS_PORT: String(metricsPort),
  })
  await setPriceFeed(relay.client, FEED, 2_000n * 10n ** 8n, Math.floor(Date.now() / 1_000))
})
test.after.always(() => relay.dispose())

async function quoted(): Promise<{ quote_id: `0x${string}`; amount: string; collector: `0x${string}` }> {
  const { status, json } = await relay.post<Awaited<ReturnType<typeof quoted>>>('quote_gas_payment', {
    gas_token: TOKEN,
    gasLimit: '300000',
  })
  if (status !== 200) throw new Error(JSON.stringify(json))
  return json
}

async function paying(account: PrivateKeyAccount, units: bigint, quoteId: string) {
  const calls = [transfer(TOKEN, PAYEE, 1n), transfer(TOKEN, COLLECTOR, units)]
  const authorization = await account.signAuthorization({
    address: relay.relay.delegateAddress,
    chainId: 84_532,
    nonce: 0,
  })
  const body = submissionOf(account.address, await signBatch(account, calls), authorization)
  return { ...body, gasPayment: { gas_token: TOKEN, quoteId } }
}

test.serial('quoted, paid, metered from the receipt, and gone with its block until it is mined again', async (t) => {
  t.is(getAddress(relay.token), TOKEN)
  const account = await relay.newAccount(UNITS)
  const { quote_id, amount, collector } = await quoted()
  t.is(collector, COLLECTOR)
  const little = await relay.submit(await paying(account, 1n, quote_id))
  t.is(little.status, 422)
  t.like(little.json, { details: { 0: { reason: 'relay_gas_token_underpaid' } } })
  const { status, json } = await relay.submit(await paying(account, BigInt(amount), quote_id))
  t.is(status, 200, JSON.stringify(json))
  const end = (await relay.until(json.id, ENDS)) as Paying
  t.like(end, { status: 'confirmed', gas_token: TOKEN, gas_token_amount: amount })
  t.is(await relay.tokens(COLLECTOR), BigInt(amount))
  // The tank pays all the same.
  t.is((await relay.balance()).debited, String(end.cost))
  const { json: usage } = await relay.post<TokenUsage>('token_usage', { fromMs: '1' })
  t.like(usage.usage[0], {
    activity_id: json.id,
    gas_token: TOKEN,
    gas_token_amount: amount,
    decimals: 6,
    native_amount: String(end.cost),
    tx_hash: end.txHash,
  })
  t.is(usage.usage.length, 1)
  t.deepEqual(usage.totals, [
    { chain_id: 'eip155:84532', gas_token: TOKEN, decimals: 6, transactions: 1, gas_token_amount: amount },
  ])
  await relay.client.setAutomine(false)
  await relay.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
  let now = end
  while (now.reorgCount === 0) now = (await relay.post<Paying>('get_transaction', { id: json.id })).json
  t.like(now, { status: 'confirmed', gas_token: TOKEN, gas_token_amount: null, cost: null })
  t.deepEqual((await relay.post<TokenUsage>('token_usage', {})).json.usage, [])
  await relay.client.setAutomine(true)
  while (now.blockHash === null) {
    await relay.client.mine({ blocks: 1 })
    now = (await relay.post<Paying>('get_transaction', { id: json.id })).json
  }
  t.like(now, { status: 'confirmed', gas_token_amount: amount })
})

test.serial('what is not set up, or not paid in tokens, is refused by name or counted as what it is', async (t) => {
  const account = await relay.newAccount(UNITS)
  const { quote_id } = await quoted()
  const parameters = await paying(account, 5n, quote_id)
  const other = await relay.submit({ ...parameters, gasPayment: { gas_token: PAYEE } })
  t.is(other.status, 422)
  t.like(other.json, { details: { 0: { reason: 'relay_gas_token_not_allowed' } } })
  const { gasPayment: _, ...free } = parameters
  const { json } = await relay.submit(free)
  t.like(await relay.until(json.id, ENDS), { status: 'confirmed', gas_token: null, gas_token_amount: null })
  t.is((await relay.post<TokenUsage>('token_usage', {})).json.usage.length, 1)
  t.is((await relay.post('quote_gas_payment', { gas_token: PAYEE, gasLimit: '1' })).status, 422)
})

test.serial('Prometheus reads engine and relay on a listener of its own', async (t) => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  for (const line of [
    'keystead_chain_attempts_total{sender="gas-relay",kind="original"} 2',
    'keystead_chain_in_flight{sender="gas-relay",',
    `keystead_gas_relay_tank_wei{organization="${relay.organizationId}",network="eip155:84532",amount="balance"}`,
    'keystead_gas_relay_answers_total{route="quote_gas_payment",reason="ok"} 2',
  ]) {
    t.true(text.includes(line), line)
  }
  t.is((await fetch(`${relay.baseUrl}/metrics`)).status, 404)
})

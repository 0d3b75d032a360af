/** Gas that is paid in tokens: what is quoted, what must have been signed, what has really moved. */
import test, { type ExecutionContext } from 'ava'
import {
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  keccak256,
  parseAbi,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem'
import { readContract } from '../../cli/contracts.ts'
import { allowlist } from '../../plugins/gas-relay/checks/allowlist.ts'
import { simulate } from '../../plugins/gas-relay/checks/chain-checks.ts'
import { ChainReads } from '../../plugins/gas-relay/checks/chain-reads.ts'
import { allowedToken, checkGasPayment } from '../../plugins/gas-relay/gas-token/gas-payment.ts'
import { quoteAt } from '../../plugins/gas-relay/gas-token/quote.ts'
import { paidIn, promisedBy } from '../../plugins/gas-relay/gas-token/transfers.ts'
import { RelayError, type Reason } from '../../plugins/gas-relay/reasons.ts'
import { settingsSchema, gasTokenSettings } from '../../plugins/gas-relay/settings.ts'
import { submitSchema } from '../../plugins/gas-relay/wire/submission.ts'
import {
  encodeCall,
  signBatch,
  startDelegationChain,
  transfer,
  type DelegationChain,
} from '../support/relay/delegation.ts'
import { setPriceFeed } from '../support/relay/price-feed.ts'
import { submissionOf } from '../support/relay/submissions.ts'

const FEED = getAddress('0x00000000000000000000000000000000000feed1')
const COLLECTOR = getAddress('0x00000000000000000000000000000000000c011e')
const PAYEE = getAddress('0x00000000000000000000000000000000000000bb')
/** 2,000 of the token for one ETH. */
const RATE = 2_000n * 10n ** 8n
const GAS_LIMIT = 300_000n
const NOW_MS = Date.now()
const NOW_S = Math.floor(NOW_MS / 1_000)
let chain: DelegationChain
let reads: ChainReads

test.before(async () => {
  chain = await startDelegationChain()
  reads = new ChainReads(chain.client)
  await setPriceFeed(chain.client, FEED, RATE, NOW_S)
})
test.after.always(() => chain.stop())

const settings = (token: Address, others: Record<string, string> = {}) =>
  gasTokenSettings(settingsSchema.parse({ gasTokens: `${token}=${FEED}`, gasCollector: COLLECTOR, ...others }))

async function refused(t: ExecutionContext, reason: Reason, work: () => unknown): Promise<RelayError | undefined> {
  const error = await t.throwsAsync(async () => work(), { instanceOf: RelayError })
  t.is(error?.reason, reason)
  return error
}

test('without a token, or without somebody to pay, none is taken', async (t) => {
  const none = gasTokenSettings(settingsSchema.parse({}))
  await refused(t, 'relay_gas_token_not_allowed', () => allowedToken(none, PAYEE))
  await refused(t, 'relay_gas_token_not_allowed', () => allowedToken(settings(PAYEE, { gasCollector: '' }), PAYEE))
  await refused(t, 'relay_gas_token_not_allowed', () => allowedToken(settings(PAYEE), COLLECTOR))
  t.deepEqual(allowedToken(settings(PAYEE), PAYEE), { token: PAYEE, feed: FEED, collector: COLLECTOR })
  t.throws(() => settingsSchema.parse({ gasTokens: PAYEE }))
})

test('what a batch promises: plain transfers of the token to the collector, summed', (t) => {
  const paid = { token: PAYEE, collector: COLLECTOR }
  const good = transfer(PAYEE, COLLECTOR, 5n)
  t.is(promisedBy([good, transfer(PAYEE, COLLECTOR, 7n)], paid), 12n)
  const others = [
    transfer(COLLECTOR, COLLECTOR, 5n),
    transfer(PAYEE, FEED, 5n),
    { ...good, value: 1n },
    { ...good, data: `${good.data}00` as Hex },
    { ...good, data: good.data.slice(0, -2) as Hex },
    { ...good, data: '0x' as Hex },
    { ...good, data: encodeCall('TestToken', 'approve', [COLLECTOR, 5n]) },
  ]
  for (const call of others) t.is(promisedBy([call], paid), 0n)
})

test('what a receipt paid: events of the token, from the account to the collector', (t) => {
  const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
  const log = (address: Address, from: Address, to: Address, value: bigint) => ({
    address: address.toLowerCase() as Address,
    topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  })
  const paid = { token: PAYEE, from: FEED, collector: COLLECTOR }
  const good = log(PAYEE, FEED, COLLECTOR, 5n)
  t.is(paidIn([good, good], paid), 10n)
  t.is(paidIn([log(FEED, FEED, COLLECTOR, 5n)], paid), 0n)
  t.is(paidIn([log(PAYEE, COLLECTOR, COLLECTOR, 5n)], paid), 0n)
  t.is(paidIn([log(PAYEE, FEED, PAYEE, 5n)], paid), 0n)
  t.is(paidIn([{ ...good, topics: [...good.topics, good.data] }], paid), 0n)
  t.is(paidIn([{ ...good, data: '0x' }], paid), 0n)
})

test.serial('a quote is the state of its block, rounded up, and lasts so many blocks', async (t) => {
  const token = { token: chain.token, feed: FEED }
  const terms = settings(chain.token, { gasQuoteBlocksMax: '3' })
  const quote = await quoteAt(reads, token, terms, NOW_MS)
  const block = await chain.client.getBlock({ blockHash: quote.blockHash })
  const feePerGas = ((block.baseFeePerGas ?? 0n) * 9n) / 8n + (await reads.tip(block.number))
  // 6 decimals, 10 % on top.
  const exact = 100_000n * feePerGas * 2_000n * 11n
  const units = 10n ** 12n * 10n
  t.is(quote.amountOf(100_000n, 0n), (exact + units - 1n) / units)
  t.is(quote.amountOf(0n, 10n ** 18n), 2_200_000_000n)
  t.is(quote.amountOf(0n, 1n), 1n)
  t.is(quote.amountOf(0n, 0n), 0n)
  // Another rate and other blocks do not change it.
  await setPriceFeed(chain.client, FEED, 2n * RATE, NOW_S)
  await chain.client.mine({ blocks: 1 })
  const later = await quoteAt(reads, token, terms, NOW_MS, quote.blockHash)
  t.is(later.amountOf(100_000n, 7n), quote.amountOf(100_000n, 7n))
  t.is((await quoteAt(reads, token, terms, NOW_MS)).amountOf(0n, 10n ** 18n), 4_400_000_000n)
  await chain.client.mine({ blocks: 1 })
  await refused(t, 'relay_quote_expired', () => quoteAt(reads, token, terms, NOW_MS, quote.blockHash))
  await refused(t, 'relay_quote_expired', () => quoteAt(reads, token, terms, NOW_MS, keccak256('0x')))
  await setPriceFeed(chain.client, FEED, RATE, NOW_S)
})

test.serial('a rate that is old, no rate, or no feed at all is refused', async (t) => {
  const token = { token: chain.token, feed: FEED }
  const terms = settings(chain.token, { gasTokenRateAgeMaxS: '60' })
  const at = (nowMs: number) => quoteAt(reads, token, terms, nowMs)
  await at((NOW_S + 60) * 1_000)
  await refused(t, 'relay_gas_token_rate_unavailable', () => at((NOW_S + 61) * 1_000))
  for (const answer of [0n, -1n]) {
    await setPriceFeed(chain.client, FEED, answer, NOW_S)
    await refused(t, 'relay_gas_token_rate_unavailable', () => at(NOW_MS))
  }
  await setPriceFeed(chain.client, FEED, RATE, NOW_S)
  await refused(t, 'relay_gas_token_rate_unavailable', () => quoteAt(reads, { ...token, feed: PAYEE }, terms, NOW_MS))
  await refused(t, 'relay_gas_token_rate_unavailable', () => quoteAt(reads, { ...token, token: PAYEE }, terms, NOW_MS))
})

/** The checks of a batch that pays these units, with everything before them done. */
async function payment(account: PrivateKeyAccount, token: Address, units: bigint, quoteId?: Hex) {
  const [delegate] = allowlist.parse(
    `batch-delegate=${chain.delegate}=${keccak256(readContract('BatchDelegate').runtimeBytecode)}`,
  )
  if (delegate === undefined) throw new Error('no delegate')
  const batch = await signBatch(account, [transfer(token, COLLECTOR, units)])
  const body = submissionOf(account.address, batch, await chain.authorize(account))
  const gasPayment = { gas_token: token, ...(quoteId !== undefined && { quoteId }) }
  const parameters = { ...body, gasPayment }
  const given = submitSchema.parse({ organizationId: crypto.randomUUID(), timestampMs: '1', parameters }).parameters
  const relayer = chain.relayer.address
  const parts = { guard: chain.guard, relayer, sendsAuthorization: true, gasLimitMax: 1_000_000n }
  const sponsored = await simulate(reads, given, delegate, parts)
  // The estimate follows the zero bytes of signatures; the price is to be the same every time.
  const sent = { ...sponsored, from: relayer, authorization: given.authorization, gasLimit: GAS_LIMIT }
  const facts = { l1Fee: 0n, nowMs: NOW_MS }
  return { check: () => checkGasPayment(reads, settings(token), given, sent, facts) }
}

test.serial('paid: what is needed, no unit less; a token that moves less than it says does not pay', async (t) => {
  const account = await chain.newAccount()
  const { blockHash } = await quoteAt(reads, { token: chain.token, feed: FEED }, settings(chain.token), NOW_MS)
  const quote = await quoteAt(reads, { token: chain.token, feed: FEED }, settings(chain.token), NOW_MS, blockHash)
  const units = quote.amountOf(GAS_LIMIT, 0n)
  t.true(units > 100n)
  const enough = await payment(account, chain.token, units, blockHash)
  t.deepEqual(await enough.check(), { token: getAddress(chain.token), collector: COLLECTOR, decimals: 6 })
  const short = await payment(account, chain.token, units - 1n, blockHash)
  const error = await refused(t, 'relay_gas_token_underpaid', short.check)
  t.is(error?.facts.neededAmount, String(units))
  // Says yes to everything, moves nothing, and has one decimal: PUSH1 1, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN.
  const idle = getAddress('0x00000000000000000000000000000000000007d1')
  await chain.client.setCode({ address: idle, bytecode: '0x60015f5260205ff3' })
  await chain.client.mine({ blocks: 1 })
  const nothing = await payment(account, idle, 10n ** 30n)
  await refused(t, 'relay_gas_token_underpaid', nothing.check)
})

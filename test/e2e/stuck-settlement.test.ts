/** A settlement that no block takes in time: the engine's cancel is signed under the policies of the facilitator's key. */
import test from 'ava'
import { clientOf } from '../support/local-chain.ts'
import { until } from '../support/processes.ts'
import { startPayingService, type PayingService } from '../support/x402/paying-service.ts'
import { body1, pay, SELLER } from '../support/x402/payments.ts'

/** Long enough to be signed on a busy machine, and then waited for. */
const VALID_S = 25

let paying: PayingService
test.before(async () => {
  paying = await startPayingService({ KEYSTEAD_X402_SETTLE_WAIT_MS: '100' })
})
test.after.always(() => paying.dispose())

test('the nonce is used up by nothing from the relayer to itself, and nobody is paid', async (t) => {
  const { chain, buyer, service } = paying
  const client = clientOf(service.dev.chain.rpcUrl)
  const relayer = service.dev.x402.relayerAddress.toLowerCase()
  const waiting = async () => {
    const { pending } = await client.getTxpoolContent()
    const ofRelayer = Object.entries(pending).filter(([from]) => from.toLowerCase() === relayer)
    return ofRelayer.flatMap(([, transactions]) => Object.values(transactions))
  }
  await client.setAutomine(false)
  const validBefore = String(Math.floor(Date.now() / 1000) + VALID_S)
  const body = body1(chain, await pay(chain, buyer, { validBefore }))
  const { json } = await paying.post('settle', body)
  t.like(json, { success: false })
  await until('the settlement is in the pool', async () =>
    (await waiting()).some(({ to }) => to === chain.token.toLowerCase()),
  )
  await until('the cancel is in its place', async () =>
    (await waiting()).some(({ to }) => to?.toLowerCase() === relayer),
  )
  await client.mine({ blocks: 1 })
  const { transactions } = await client.getBlock({ includeTransactions: true })
  const mined = transactions.filter(({ from }) => from.toLowerCase() === relayer)
  t.deepEqual(
    mined.map(({ to, value, gas, input }) => ({ to: to?.toLowerCase(), value, gas, input })),
    [{ to: relayer, value: 0n, gas: 21_000n, input: '0x' }],
  )
  t.is(await paying.balance(SELLER), 0n)
  await client.setAutomine(true)
  await paying.post('settle', body1(chain, await pay(chain, buyer)))
  await until('the next one is paid', async () => (await paying.balance(SELLER)) > 0n)
})

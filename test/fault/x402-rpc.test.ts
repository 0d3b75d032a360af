/**
 * Settling through an endpoint that answers badly to a broadcast: the bytes may be in the pool, in a block or nowhere, whatever it
 * says. Each payment is made once, by one transaction, and never called failed.
 */
import test from 'ava'
import { startRpcProxy, type RpcFault } from '../support/rpc-proxy.ts'
import { openRig, relayerAccount, signerDouble } from '../support/sending.ts'
import { startFacilitator, type Facilitator } from '../support/x402/facilitator.ts'
import { startPaymentChain, type PaymentChain } from '../support/x402/payment-chain.ts'
import { body1, body2, pay, PRICE, SELLER } from '../support/x402/payments.ts'
import { until } from '../support/processes.ts'

const RELAYER = 'x402-relayer'
const relayer = relayerAccount(RELAYER).address

const FAULTS: Partial<Record<RpcFault, string>> = {
  known: '"already known", and it is',
  used: '"nonce too low", because it is in a block',
  'falsely-used': '"nonce too low", and it was never passed on',
  lost: 'passed on, the answer lost',
  refused: 'nothing passed on, no answer',
  overloaded: 'nothing passed on, "later"',
  garbage: 'nothing passed on, no JSON',
  hung: 'passed on, and no answer until our own time is over',
}

let chain: PaymentChain
let facilitator: Facilitator
/** What becomes of the next broadcast. */
let fault: RpcFault | undefined
let close: () => Promise<void>

test.before(async () => {
  chain = await startPaymentChain()
  await chain.client.setBalance({ address: relayer, value: 10n ** 20n })
  const proxy = await startRpcProxy(chain.rpcUrl, (method) => {
    if (method !== 'eth_sendRawTransaction') return undefined
    const now = fault
    fault = undefined
    return now
  })
  const { keys } = signerDouble(undefined, [RELAYER])
  const sender = { relayerKeys: [] }
  const rig = await openRig({ rpcUrls: [proxy.url], keys, sender, settings: { finalityDepth: 0, pollMs: 100 } })
  facilitator = await startFacilitator(chain, { chains: new Map([[rig.chain.caip2, rig.chain.signedBy(keys)]]) })
  close = async () => {
    await facilitator.stop()
    await rig.dispose()
    await proxy.close()
  }
})
test.after.always(async () => {
  await close()
  await chain.stop()
})

let settled = 0
for (const [each, what] of Object.entries(FAULTS) as [RpcFault, string][]) {
  for (const version of [1, 2] as const) {
    test.serial(`a broadcast is answered: ${what} (version ${version})`, async (t) => {
      const payment = await pay(chain, await chain.buyer())
      const body = version === 1 ? body1(chain, payment) : body2(chain, payment)
      fault = each
      const answers: Record<string, unknown>[] = []
      const paid = () => answers.find(({ success }) => success === true)
      await until('it is paid', async () => {
        answers.push((await facilitator.post('settle', body)).json)
        return paid() !== undefined
      })
      t.true(fault === undefined, 'the fault was met')
      settled++
      for (const { success, errorReason } of answers) {
        const isUnderWay = errorReason === 'x402_settlement_in_flight' || errorReason === 'settlement_pending'
        t.true(success === true || isUnderWay, String(errorReason))
      }
      const hash = paid()?.['transaction'] as `0x${string}`
      const receipt = await chain.client.getTransactionReceipt({ hash })
      t.is(receipt.from, relayer.toLowerCase() as `0x${string}`)
      t.is(await chain.balance(SELLER), PRICE * BigInt(settled))
      t.is(await chain.client.getTransactionCount({ address: relayer }), settled)
    })
  }
}

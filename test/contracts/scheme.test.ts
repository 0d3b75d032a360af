/** The contract of x402 schemes, over the registry and the toy scheme on the toy chain. */
import test from 'ava'
import { schemes } from '../../plugins/x402/schemes/index.ts'
import { cash } from '../support/cash-scheme/cash.ts'
import { toyChain } from '../support/toy-chain/toy-chain.ts'
import { startFacilitator } from '../support/x402/facilitator.ts'
import { startPaymentChain } from '../support/x402/payment-chain.ts'
import { body1, pay, PRICE, SELLER } from '../support/x402/payments.ts'
import { testScheme, type SchemeSubject } from './scheme.ts'

async function exactSubject(): Promise<SchemeSubject> {
  const chain = await startPaymentChain()
  const facilitator = await startFacilitator(chain)
  const buyer = await chain.buyer(1_000_000_000n)
  return {
    facilitator,
    body: async () => body1(chain, await pay(chain, buyer)),
    received: () => chain.balance(SELLER),
    price: PRICE,
    async dispose() {
      await facilitator.stop()
      await chain.stop()
    },
  }
}

async function cashSubject(): Promise<SchemeSubject> {
  const chain = toyChain()
  chain.balances.set('anna', 1_000_000_000n)
  const settings = { network: 'toy:1', networkNames: 'toytown', policyEnabled: 'true' }
  const chains = new Map([[chain.caip2, chain]])
  const facilitator = await startFacilitator(undefined, { chains, schemes: [cash], settings })
  let number = 0
  return {
    facilitator,
    async body() {
      number += 1
      const signature = 'signed anna'
      const payload = { payer: 'anna', payee: 'shop', amount: String(PRICE), number: String(number), signature }
      const kind = { scheme: 'cash', network: 'toytown' }
      const extra = { name: 'coin', version: '1' }
      const asked = {
        maxAmountRequired: String(PRICE),
        asset: 'coin',
        payTo: 'shop',
        resource: '',
        maxTimeoutSeconds: 60,
      }
      return {
        paymentPayload: { x402Version: 1, ...kind, payload },
        paymentRequirements: { ...kind, ...asked, extra },
      }
    },
    received: () => Promise.resolve(chain.balances.get('shop') ?? 0n),
    price: PRICE,
    dispose: () => facilitator.stop(),
  }
}

const subjects: Record<string, () => Promise<SchemeSubject>> = { 'exact-eip155': exactSubject }

for (const member of schemes) {
  const start = subjects[member.name]
  if (start === undefined) throw new Error(`no subject for ${member.name}`)
  testScheme(test, member, start)
}
testScheme(test, cash, cashSubject)
